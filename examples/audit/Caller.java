import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.concurrent.Executors;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A caller that follows the API reference, without dependencies. Test it with
 *
 *   npx banking-api-contract audit --drive -- java Caller.java
 */
public class Caller {
  static final String BASE = env("BANKING_API_BASE_URL", "http://127.0.0.1:4010");
  static final String USERNAME = env("BANKING_API_USERNAME", "sandbox");
  static final String PASSWORD = env("BANKING_API_PASSWORD", "sandbox-secret");
  static final HttpClient CLIENT =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(Duration.ofSeconds(5)).build();

  /** Keeps one token for all threads. */
  static class Tokens {
    private String token;
    private long renewAt;

    /** All threads wait for one request. */
    synchronized String get() throws IOException, InterruptedException {
      if (token == null || System.nanoTime() - renewAt >= 0) request();
      return token;
    }

    /** Only if no other thread has replaced it. */
    synchronized void drop(String refused) {
      if (refused.equals(token)) token = null;
    }

    private void request() throws IOException, InterruptedException {
      String basic = Base64.getEncoder().encodeToString((USERNAME + ":" + PASSWORD).getBytes(StandardCharsets.UTF_8));
      HttpResponse<String> response = CLIENT.send(
          HttpRequest.newBuilder(URI.create(BASE + "/iam/oauth/token"))
              .header("Authorization", "Basic " + basic)
              .header("Content-Type", "application/x-www-form-urlencoded")
              .timeout(Duration.ofSeconds(10))
              .POST(HttpRequest.BodyPublishers.ofString("grant_type=client_credentials"))
              .build(),
          HttpResponse.BodyHandlers.ofString());
      if (response.statusCode() != 200) throw new IOException("no token: " + response.statusCode());
      // A JSON library does this better.
      double lifetime = Double.parseDouble(field(response.body(), "\"expires_in\"\\s*:\\s*([0-9.]+)"));
      token = field(response.body(), "\"access_token\"\\s*:\\s*\"([^\"]+)\"");
      // 45 seconds before it expires, or a tenth of a short lifetime. This response states the lifetime.
      renewAt = System.nanoTime() + (long) ((lifetime - Math.min(45, lifetime / 10)) * 1e9);
    }
  }

  static final Tokens TOKENS = new Tokens();

  static HttpResponse<String> get(String path) throws IOException, InterruptedException {
    String token = TOKENS.get();
    HttpResponse<String> first = send(path, token);
    if (first.statusCode() != 401) return first;
    TOKENS.drop(token);
    return send(path, TOKENS.get());
  }

  static HttpResponse<String> send(String path, String token) throws IOException, InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(URI.create(BASE + path))
        .header("Authorization", "Bearer " + token)
        .timeout(Duration.ofSeconds(30))
        .build();
    return CLIENT.send(request, HttpResponse.BodyHandlers.ofString());
  }

  public static void main(String[] arguments) throws Exception {
    int count = Integer.parseInt(env("BANKING_API_REQUESTS", "1"));
    boolean parallel = env("BANKING_API_SITUATION", "").equals("parallel");
    var pool = Executors.newFixedThreadPool(parallel ? count : 1);
    for (int number = 0; number < count; number++) {
      pool.submit(() -> {
        try {
          System.out.println(get("/wallet/api/customers/c1/cards/k1").statusCode());
        } catch (Exception error) {
          System.out.println(error.getMessage());
        }
      });
    }
    pool.shutdown();
  }

  static String field(String json, String pattern) throws IOException {
    Matcher matcher = Pattern.compile(pattern).matcher(json);
    if (!matcher.find()) throw new IOException("the token response lacks a field");
    return matcher.group(1);
  }

  static String env(String name, String otherwise) {
    String value = System.getenv(name);
    return value == null ? otherwise : value;
  }
}
