import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A caller with HttpURLConnection. */
public class Connection {
  static final String BASE = System.getenv("BANKING_API_BASE_URL");
  static String value;
  static long until;

  static synchronized String token() throws IOException {
    if (value != null && System.nanoTime() < until) return value;
    HttpURLConnection asked = open("/iam/oauth/token");
    String pair = System.getenv("BANKING_API_USERNAME") + ":" + System.getenv("BANKING_API_PASSWORD");
    String basic = Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8));
    asked.setRequestMethod("POST");
    asked.setRequestProperty("Authorization", "Basic " + basic);
    asked.setRequestProperty("Content-Type", "application/x-www-form-urlencoded");
    asked.setDoOutput(true);
    asked.getOutputStream().write("grant_type=client_credentials".getBytes(StandardCharsets.UTF_8));
    if (asked.getResponseCode() != 200) throw new IOException("the token endpoint answered " + asked.getResponseCode());
    String text = new String(asked.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    long life = Long.parseLong(find(text, "\"expires_in\"\\s*:\\s*(\\d+)")) * 1_000_000_000L;
    until = System.nanoTime() + life - Math.min(45_000_000_000L, life / 10);
    value = find(text, "\"access_token\"\\s*:\\s*\"([^\"]+)\"");
    return value;
  }

  static synchronized void drop(String refused) {
    if (refused.equals(value)) value = null;
  }

  static int get(String token) throws IOException {
    HttpURLConnection asked = open("/wallet/api/customers/c1/cards/k1");
    asked.setRequestProperty("Authorization", "Bearer " + token);
    int status = asked.getResponseCode();
    try (InputStream body = status < 400 ? asked.getInputStream() : asked.getErrorStream()) {
      if (body != null) body.readAllBytes();
    }
    return status;
  }

  static void call() {
    try {
      String token = token();
      if (get(token) != 401) return;
      drop(token);
      get(token());
    } catch (IOException error) {
      System.out.println(error.getMessage());
    }
  }

  static HttpURLConnection open(String path) throws IOException {
    HttpURLConnection connection = (HttpURLConnection) URI.create(BASE + path).toURL().openConnection();
    connection.setConnectTimeout(10_000);
    connection.setReadTimeout(20_000);
    return connection;
  }

  static String find(String text, String pattern) throws IOException {
    Matcher matcher = Pattern.compile(pattern).matcher(text);
    if (!matcher.find()) throw new IOException("the token response is malformed");
    return matcher.group(1);
  }

  public static void main(String[] arguments) throws InterruptedException {
    // of its own it would send a POST again that failed
    System.setProperty("sun.net.http.retryPost", "false");
    int requests = Integer.parseInt(System.getenv().getOrDefault("BANKING_API_REQUESTS", "1"));
    if (!"parallel".equals(System.getenv("BANKING_API_SITUATION"))) {
      for (int number = 0; number < requests; number++) call();
      return;
    }
    List<Thread> threads = new ArrayList<>();
    for (int number = 0; number < requests; number++) threads.add(new Thread(Connection::call));
    for (Thread thread : threads) thread.start();
    for (Thread thread : threads) thread.join();
  }
}
