// Makes dogs bark with the client that openapi-generator generates.
package main

import (
	"context"
	"errors"

	"clients/observations"
	"clients/openapi-generator/client"
)

func main() {
	access := observations.Read()
	configuration := client.NewConfiguration()
	configuration.Servers = client.ServerConfigurations{{URL: access.BaseURL}}
	configuration.HTTPClient = observations.HTTPClient
	dogs := client.NewAPIClient(configuration)
	var seen observations.Observations

	request := client.NewTokenRequest("refresh_token", access.RefreshToken)
	request.SetClientId(access.ClientID)
	request.SetClientSecret(access.ClientSecret)
	token, response, err := dogs.TokensAPI.IssueToken(context.Background()).TokenRequest(*request).Execute()
	observations.Check(err)
	seen.Token = [2]any{response.StatusCode, token.GetTokenType()}

	ctx := context.WithValue(context.Background(), client.ContextAccessToken, token.GetAccessToken())
	dog := access.Prefix + "-records"
	settings := client.NewDogRequest()
	settings.SetBarkEffects([]string{"record"})
	_, response, err = dogs.DogsAPI.PutDog(ctx, dog).DogRequest(*settings).Execute()
	observations.Check(err)
	seen.Created = []int{response.StatusCode}

	recorded, response, err := dogs.VariantAAPI.PostBarks(ctx, dog).Execute()
	observations.Check(err)
	seen.Recorded = [2]any{response.StatusCode, recorded}

	// The client reads the body of each 2xx as that of a 200, so a 202 is an error.
	_, response, err = dogs.VariantAAPI.PostBarks(ctx, dog).Prefer("respond-async").Execute()
	location := response.Header.Get("Location")
	seen.Accepted = [2]any{response.StatusCode, location}

	// The client returns the body of a 303 in an error.
	_, response, err = dogs.VariantAAPI.GetBark(ctx, dog, observations.BarkID(location)).Prefer("wait=20").Execute()
	var other *client.GenericOpenAPIError
	errors.As(err, &other)
	seen.Performed = [2]any{response.StatusCode, other.Model()}

	shown, response, err := dogs.DogsAPI.GetDog(ctx, dog).Execute()
	observations.Check(err)
	seen.Dog = [2]any{response.StatusCode, shown.GetBarkCount()}

	barks := client.NewSchedulePatchBarks()
	barks.SetNext(access.Next)
	barks.SetFrequency(10)
	patch := client.NewSchedulePatch()
	patch.SetBarks(*barks)
	date := response.Header.Get("Last-Modified")
	response, err = dogs.VariantBAPI.PatchDog(ctx, dog).IfUnmodifiedSince(date).SchedulePatch(*patch).Execute()
	observations.Check(err)
	seen.Patched = response.StatusCode

	for _, token := range access.Tokens {
		schedule := client.NewBarkScheduleRequest(token, access.Next)
		response, err := dogs.VariantCAPI.PostBarkSchedule(ctx, dog).BarkScheduleRequest(*schedule).Execute()
		observations.Check(err)
		seen.Scheduled = append(seen.Scheduled, response.StatusCode)
	}
	seen.Print()
}
