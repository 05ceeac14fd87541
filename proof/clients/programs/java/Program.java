import client.ApiClient;
import client.ApiException;
import client.api.DogsApi;
import client.api.TokensApi;
import client.api.VariantAApi;
import client.api.VariantBApi;
import client.api.VariantCApi;
import client.model.BarkScheduleRequest;
import client.model.DogRequest;
import client.model.SchedulePatch;
import client.model.SchedulePatchBarks;
import client.model.TokenRequest;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Makes dogs bark with the client that openapi-generator generates, and prints what it returned. */
public class Program {
  public static void main(String[] arguments) throws Exception {
    ObjectMapper json = new ObjectMapper();
    JsonNode access = json.readTree(Path.of(arguments[0]).toFile());
    ApiClient client = new ApiClient();
    client.updateBaseUri(access.get("base_url").asText());

    var token = new TokensApi(client).issueTokenWithHttpInfo(new TokenRequest()
        .grantType(TokenRequest.GrantTypeEnum.REFRESH_TOKEN)
        .refreshToken(access.get("refresh_token").asText())
        .clientId(access.get("client_id").asText())
        .clientSecret(access.get("client_secret").asText()));
    String authorization = "Bearer " + token.getData().getAccessToken();
    client.setRequestInterceptor(request -> request.header("Authorization", authorization));

    String dog = access.get("prefix").asText() + "-records";
    long next = access.get("next").asLong();
    var dogs = new DogsApi(client);
    var barks = new VariantAApi(client);
    var settings = new DogRequest().barkEffects(Set.of(DogRequest.BarkEffectsEnum.RECORD));
    var created = dogs.putDogWithHttpInfo(dog, settings, null, null, null);
    var recorded = barks.postBarksWithHttpInfo(dog, null, null, null);
    var accepted = barks.postBarksWithHttpInfo(dog, "respond-async", null, null);
    String location = accepted.getHeaders().get("location").get(0);
    ApiException performed = seeOther(barks, dog, location.substring(location.lastIndexOf('/') + 1));
    var shown = dogs.getDogWithHttpInfo(dog, null, null, null, null);

    String date = shown.getHeaders().get("last-modified").get(0);
    var patch = new SchedulePatch().barks(new SchedulePatchBarks().next(next).frequency(10));
    var patched = new VariantBApi(client).patchDogWithHttpInfo(date, dog, patch, null, null);
    var schedules = new VariantCApi(client);
    List<Integer> scheduled = new ArrayList<>();
    for (JsonNode one : access.get("tokens")) {
      var schedule = new BarkScheduleRequest().token(one.asDouble()).next(next);
      scheduled.add(schedules.postBarkScheduleWithHttpInfo(dog, schedule, null, null, null).getStatusCode());
    }

    System.out.println(json.writeValueAsString(Map.of(
        "token", List.of(token.getStatusCode(), token.getData().getTokenType()),
        "created", List.of(created.getStatusCode()),
        "recorded", List.of(recorded.getStatusCode(), recorded.getData()),
        "accepted", List.of(accepted.getStatusCode(), location),
        "performed", List.of(performed.getCode(), json.readTree(performed.getResponseBody())),
        "dog", List.of(shown.getStatusCode(), shown.getData().getBarkCount()),
        "patched", patched.getStatusCode(),
        "scheduled", scheduled)));
  }

  /** The client returns a 303 as an exception. */
  private static ApiException seeOther(VariantAApi barks, String dog, String bark) throws ApiException {
    try {
      throw new IllegalStateException(barks.getBark(dog, bark, "wait=20", null, null, null, null).toString());
    } catch (ApiException exception) {
      return exception;
    }
  }
}
