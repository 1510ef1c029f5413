import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Base64;

/** Issues one card with java.net.http as it is. Exits with 1 unless it worked. */
class Writer {
    public static void main(String[] arguments) throws Exception {
        String base = System.getenv("BANKING_API_BASE_URL");
        String user = System.getenv("BANKING_API_USERNAME") + ":" + System.getenv("BANKING_API_PASSWORD");
        HttpClient client = HttpClient.newHttpClient();
        HttpRequest asking = HttpRequest.newBuilder(URI.create(base + "/iam/oauth/token"))
                .header("Authorization", "Basic " + Base64.getEncoder().encodeToString(user.getBytes()))
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(BodyPublishers.ofString("grant_type=client_credentials"))
                .build();
        String answer = client.send(asking, BodyHandlers.ofString()).body();
        String token = answer.replaceAll(".*\"access_token\":\"([^\"]*)\".*", "$1");
        HttpRequest issuing = HttpRequest.newBuilder(URI.create(base + "/wallet/api/customers/c1/cards"))
                .header("Authorization", "Bearer " + token)
                .header("Content-Type", "application/json")
                .timeout(Duration.ofSeconds(3))
                .POST(BodyPublishers.ofString("{\"alias\":\"Travel\",\"cardDesign\":\"blue\"}"))
                .build();
        try {
            if (client.send(issuing, BodyHandlers.ofString()).statusCode() >= 300) System.exit(1);
        } catch (java.io.IOException error) {
            System.exit(1);
        }
    }
}
