// Generated from spec/ by `node scripts/generate-validators.ts`. Do not edit.

/** Fields that the API reference documents; a response may hold more. */

/**
 * Response of the token endpoint.
 */
export interface Token {
  /**
   * Bearer token, a signed JWT.
   */
  access_token: string;
  /**
   * Remaining lifetime in seconds.
   */
  expires_in: number;
  /**
   * Token identifier.
   */
  jti: string;
  /**
   * May be empty, or contain a scope name.
   */
  scope: string;
  /**
   * Value: bearer, compared without regard to case (RFC 6749, 5.1).
   */
  token_type: string;
}
/**
 * Fields of the responses of Get accounts, Get account, Update Account Read Only, Cancel account and Create account.
 */
export interface Account {
  /**
   * Only meaningful for customers whose payment provider is one specific external provider.
   */
  wireRoutingNumber?: string;
  /**
   * Only meaningful for customers whose payment provider is one specific external provider.
   */
  achRoutingNumber?: string;
  /**
   * Only meaningful for customers whose payment provider is one specific external provider.
   */
  ibanForSwift?: string;
}
/**
 * Fields of the responses of Get clients, Get client, Freeze company and Unfreeze company.
 */
export interface Client {
  /**
   * Holds the name of the specific external payment provider when it is configured as the customer's payment provider; otherwise holds the customer's main banking provider.
   */
  paymentProvider?: string;
}
/**
 * Fields of the responses of Get Transaction and Create Transaction.
 */
export interface Transaction {
  purposeCode?: string;
  paymentProviderDetails?: PaymentProviderDetails;
}
/**
 * The object paymentProviderDetails of a transaction.
 */
export interface PaymentProviderDetails {
  shortReference?: string;
  internalReference?: string;
  paymentId?: string;
  conversionId?: string;
  /**
   * Decimal.
   */
  rate?: number;
  /**
   * ISO 8601 date-time, UTC. Read as JSON Schema reads date-time: RFC 3339, with the offset Z or +00:00.
   */
  settlementDate?: string;
}
/**
 * Fields of the responses of Get beneficiaries, Create beneficiary, Get beneficiary and Update beneficiary.
 */
export interface Beneficiary {
  /**
   * Only meaningful for customers on the specific external payment provider.
   */
  aba?: string;
  /**
   * Only meaningful for customers on the specific external payment provider.
   */
  clabe?: string;
  /**
   * Only meaningful for customers on the specific external payment provider.
   */
  ifsc?: string;
  /**
   * Only meaningful for customers on the specific external payment provider.
   */
  cnaps?: string;
  /**
   * Accepted on Create new beneficiary; allowed values true, false.
   */
  visible?: boolean;
}
/**
 * The documented field of the request of Create new beneficiary.
 */
export interface CreateNewBeneficiaryRequest {
  /**
   * Allowed values true, false; default true.
   */
  visible?: boolean;
}
/**
 * Fields of the responses of the card endpoints.
 */
export interface Card {
  /**
   * Issue request.
   */
  cardProgramme?: string;
  /**
   * Issue request.
   */
  cardDesign?: string;
  /**
   * Maximum per currency, see IssueNewCardRequest.
   */
  cardLimitDaily?: number;
  /**
   * Maximum per currency, see IssueNewCardRequest.
   */
  cardLimitMonthly?: number;
  /**
   * Maximum per currency, see IssueNewCardRequest.
   */
  cardLimitTransaction?: number;
  /**
   * Card token; present only for physical cards.
   */
  token?: string;
}
/**
 * The documented fields of the request of Issue new card.
 */
export interface IssueNewCardRequest {
  cardProgramme?: string;
  cardDesign?: string;
  /**
   * Maximum GBP 100000.00; EUR 115000.00.
   */
  cardLimitDaily?: number;
  /**
   * Maximum GBP 250000.00; EUR 290000.00.
   */
  cardLimitMonthly?: number;
  /**
   * Maximum GBP 100000.00; EUR 115000.00.
   */
  cardLimitTransaction?: number;
}

/** A JSON value: what a payload is of which the reference shows nothing. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** Every operation of the API reference, by its operationId. */
export interface Operations {
  /** Token endpoint */
  getToken: {
    method: 'POST';
    path: '/iam/oauth/token';
    pathParameters: Record<string, never>;
    queryParameters: Record<string, never>;
    request: { grant_type: 'client_credentials' };
    response: Token;
  };
  /** Reject client */
  rejectClient: {
    method: 'PUT';
    path: '/iam/api/customers/{customerId}/clients/{clientId}/reject';
    pathParameters: { customerId: string; clientId: string };
    queryParameters: Record<string, never>;
    request: Json;
    response: Json;
  };
  /** Delete client */
  deleteClient: {
    method: 'DELETE';
    path: '/iam/api/customers/{customerId}/companies/{clientId}';
    pathParameters: { customerId: string; clientId: string };
    queryParameters: Record<string, never>;
    request: Json;
    response: Json;
  };
  /** Create user */
  createUser: {
    method: 'POST';
    path: '/iam/api/customers/{customerId}/clients/{clientId}/users/create';
    pathParameters: { customerId: string; clientId: string };
    queryParameters: Record<string, never>;
    request: Json;
    response: Json;
  };
  /** Generate customer key */
  generateCustomerKey: {
    method: 'POST';
    path: '/iam/api/customers/{customerId}/credentials/generateCustomerKey';
    pathParameters: { customerId: string };
    queryParameters: Record<string, never>;
    request: Json;
    response: Json;
  };
  /** Create username */
  createUsername: {
    method: 'POST';
    path: '/iam/api/customers/{customerId}/clients/{clientId}/users/{userId}/credentials/username';
    pathParameters: { customerId: string; clientId: string; userId: string };
    queryParameters: Record<string, never>;
    request: Json;
    response: Json;
  };
  /** Create security questions */
  createSecurityQuestions: {
    method: 'POST';
    path: '/iam/api/customers/{customerId}/clients/{clientId}/users/{userId}/credentials/securityQuestions';
    pathParameters: { customerId: string; clientId: string; userId: string };
    queryParameters: Record<string, never>;
    request: Json;
    response: Json;
  };
  /** Create security code */
  createSecurityCode: {
    method: 'POST';
    path: '/iam/api/customers/{customerId}/clients/{clientId}/users/{userId}/credentials/securityCode';
    pathParameters: { customerId: string; clientId: string; userId: string };
    queryParameters: Record<string, never>;
    request: Json;
    response: Json;
  };
  /** Create password */
  createPassword: {
    method: 'POST';
    path: '/iam/api/customers/{customerId}/clients/{clientId}/users/{userId}/credentials/password';
    pathParameters: { customerId: string; clientId: string; userId: string };
    queryParameters: Record<string, never>;
    request: Json;
    response: Json;
  };
  /** Get card fees */
  getCardFees: {
    method: 'GET';
    path: '/billing/api/customers/{customerId}/client/{clientId}/card/fees/{currency}';
    pathParameters: { customerId: string; clientId: string; currency: string };
    queryParameters: Record<string, never>;
    request: Json;
    response: Json;
  };
  /** Get account fees */
  getAccountFees: {
    method: 'GET';
    path: '/billing/api/customers/{customerId}/client/{clientId}/account/fees/{currency}';
    pathParameters: { customerId: string; clientId: string; currency: string };
    queryParameters: Record<string, never>;
    request: Json;
    response: Json;
  };
  /** Get transaction fees */
  getTransactionFees: {
    method: 'POST';
    path: '/billing/api/customers/{customerId}/clients/{clientId}/transactions/fees';
    pathParameters: { customerId: string; clientId: string };
    queryParameters: Record<string, never>;
    request: Json;
    response: Json;
  };
  /** Get card */
  getCard: {
    method: 'GET';
    path: '/wallet/api/customers/{customerId}/cards/{cardId}';
    pathParameters: { customerId: string; cardId: string };
    queryParameters: Record<string, never>;
    request: Json;
    response: Card;
  };
  /** Delete card */
  deleteCard: {
    method: 'DELETE';
    path: '/wallet/api/customers/{customerId}/cards/{cardId}';
    pathParameters: { customerId: string; cardId: string };
    queryParameters: Record<string, never>;
    request: Json;
    response: Card;
  };
  /** Issue new card */
  issueNewCard: {
    method: 'POST';
    path: '/wallet/api/customers/{customerId}/cards';
    pathParameters: { customerId: string };
    queryParameters: Record<string, never>;
    request: IssueNewCardRequest;
    response: Card;
  };
  /** Update card */
  updateCard: {
    method: 'PUT';
    path: '/wallet/api/customers/{customerId}/{clientId}/card/{cardId}';
    pathParameters: { customerId: string; clientId: string; cardId: string };
    queryParameters: Record<string, never>;
    request: Json;
    response: Card;
  };
  /** Update card alias */
  updateCardAlias: {
    method: 'PUT';
    path: '/wallet/api/customers/{customerId}/{clientId}/card/{cardId}/updateAlias';
    pathParameters: { customerId: string; clientId: string; cardId: string };
    queryParameters: Record<string, never>;
    request: Json;
    response: Card;
  };
  /** List client cards */
  listClientCards: {
    method: 'GET';
    path: '/wallet/api/customers/{customerId}/clients/{clientId}/cards';
    pathParameters: { customerId: string; clientId: string };
    queryParameters: Record<string, never>;
    request: Json;
    response: Json;
    /** One item of a list whose envelope is not shown. */
    item: Card;
  };
  /** Suspend card */
  suspendCard: {
    method: 'PUT';
    path: '/wallet/api/customers/{customerId}/cards/{cardId}/suspend';
    pathParameters: { customerId: string; cardId: string };
    queryParameters: Record<string, never>;
    request: Json;
    response: Card;
  };
  /** Activate card */
  activateCard: {
    method: 'PUT';
    path: '/wallet/api/customers/{customerId}/cards/{cardId}/activate';
    pathParameters: { customerId: string; cardId: string };
    queryParameters: Record<string, never>;
    request: Json;
    response: Card;
  };
  /** Get card fees (deprecated)
   * @deprecated Use getCardFees.
    */
  getCardFeesDeprecated: {
    method: 'GET';
    path: '/iam/api/customers/{customerId}/client/{clientId}/card/fees/{currency}';
    pathParameters: { customerId: string; clientId: string; currency: string };
    queryParameters: Record<string, never>;
    request: Json;
    response: Json;
  };
  /** Get account fees (deprecated)
   * @deprecated Use getAccountFees.
    */
  getAccountFeesDeprecated: {
    method: 'GET';
    path: '/wallet/api/customers/{customerId}/client/{clientId}/account/fees/{currency}';
    pathParameters: { customerId: string; clientId: string; currency: string };
    queryParameters: Record<string, never>;
    request: Json;
    response: Json;
  };
  /** Get transaction fees (deprecated)
   * @deprecated Use getTransactionFees.
    */
  getTransactionFeesDeprecated: {
    method: 'GET';
    path: '/wallet/api/customers/{customerId}/clients/{clientId}/transactions/fees';
    pathParameters: { customerId: string; clientId: string };
    queryParameters: Record<string, never>;
    request: Json;
    response: Json;
  };
  /** Issue new account */
  issueNewAccount: {
    method: null;
    path: null;
    pathParameters: Record<string, never>;
    queryParameters: Record<string, never>;
    request: Json;
    response: Json;
  };
  /** Get account details */
  getAccountDetails: {
    method: null;
    path: null;
    pathParameters: Record<string, never>;
    queryParameters: Record<string, never>;
    request: Json;
    response: Json;
  };
  /** Get list of accounts */
  getListOfAccounts: {
    method: null;
    path: null;
    pathParameters: Record<string, never>;
    queryParameters: Record<string, never>;
    request: Json;
    response: Json;
  };
  /** Cancel an account */
  cancelAnAccount: {
    method: null;
    path: null;
    pathParameters: Record<string, never>;
    queryParameters: Record<string, never>;
    request: Json;
    response: Account;
  };
  /** Get accounts */
  getAccounts: {
    method: null;
    path: null;
    pathParameters: Record<string, never>;
    queryParameters: Record<string, never>;
    request: Json;
    response: Json;
    /** One item of a list whose envelope is not shown. */
    item: Account;
  };
  /** Get account */
  getAccount: {
    method: null;
    path: null;
    pathParameters: Record<string, never>;
    queryParameters: Record<string, never>;
    request: Json;
    response: Account;
  };
  /** Update Account Read Only */
  updateAccountReadOnly: {
    method: null;
    path: null;
    pathParameters: Record<string, never>;
    queryParameters: Record<string, never>;
    request: Json;
    response: Account;
  };
  /** Create account */
  createAccount: {
    method: null;
    path: null;
    pathParameters: Record<string, never>;
    queryParameters: Record<string, never>;
    request: Json;
    response: Account;
  };
  /** Get clients */
  getClients: {
    method: null;
    path: null;
    pathParameters: Record<string, never>;
    queryParameters: Record<string, never>;
    request: Json;
    response: Json;
    /** One item of a list whose envelope is not shown. */
    item: Client;
  };
  /** Get client */
  getClient: {
    method: null;
    path: null;
    pathParameters: Record<string, never>;
    queryParameters: Record<string, never>;
    request: Json;
    response: Client;
  };
  /** Freeze company */
  freezeCompany: {
    method: null;
    path: null;
    pathParameters: Record<string, never>;
    queryParameters: Record<string, never>;
    request: Json;
    response: Client;
  };
  /** Unfreeze company */
  unfreezeCompany: {
    method: null;
    path: null;
    pathParameters: Record<string, never>;
    queryParameters: Record<string, never>;
    request: Json;
    response: Client;
  };
  /** Get available partner products */
  getAvailablePartnerProducts: {
    method: null;
    path: null;
    pathParameters: Record<string, never>;
    queryParameters: Record<string, never>;
    request: Json;
    response: Json;
  };
  /** Get new card fees */
  getNewCardFees: {
    method: null;
    path: null;
    pathParameters: Record<string, never>;
    queryParameters: Record<string, never>;
    request: Json;
    response: Json;
  };
  /** Get new account fees */
  getNewAccountFees: {
    method: null;
    path: null;
    pathParameters: Record<string, never>;
    queryParameters: Record<string, never>;
    request: Json;
    response: Json;
  };
  /** Update Card Limits */
  updateCardLimits: {
    method: null;
    path: null;
    pathParameters: Record<string, never>;
    queryParameters: Record<string, never>;
    request: Json;
    response: Card;
  };
  /** Get Transaction */
  getTransaction: {
    method: null;
    path: null;
    pathParameters: Record<string, never>;
    queryParameters: Record<string, never>;
    request: Json;
    response: Transaction;
  };
  /** Create Transaction */
  createTransaction: {
    method: null;
    path: null;
    pathParameters: Record<string, never>;
    queryParameters: Record<string, never>;
    request: Json;
    response: Transaction;
  };
  /** Get beneficiaries */
  getBeneficiaries: {
    method: null;
    path: null;
    pathParameters: Record<string, never>;
    queryParameters: { visible?: string | number | boolean };
    request: Json;
    response: Json;
    /** One item of a list whose envelope is not shown. */
    item: Beneficiary;
  };
  /** Create new beneficiary */
  createNewBeneficiary: {
    method: null;
    path: null;
    pathParameters: Record<string, never>;
    queryParameters: Record<string, never>;
    request: CreateNewBeneficiaryRequest;
    response: Beneficiary;
  };
  /** Get beneficiary */
  getBeneficiary: {
    method: null;
    path: null;
    pathParameters: Record<string, never>;
    queryParameters: Record<string, never>;
    request: Json;
    response: Beneficiary;
  };
  /** Update beneficiary */
  updateBeneficiary: {
    method: null;
    path: null;
    pathParameters: Record<string, never>;
    queryParameters: Record<string, never>;
    request: Json;
    response: Beneficiary;
  };
}

/** operationId of an operation. */
export type OperationId = keyof Operations;

/** operationId of an operation whose method and path the reference shows. */
export type LocatedOperationId = { [Id in OperationId]: Operations[Id]['method'] extends string ? Id : never }[OperationId];
