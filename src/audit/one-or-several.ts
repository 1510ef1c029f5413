/** What was seen where parts of a journal that look alike asked for a token at the same moment. */
export const ONE_OR_SEVERAL = 'token requests at the same moment, of one program or of several';
