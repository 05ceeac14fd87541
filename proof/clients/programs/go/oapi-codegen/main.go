// Makes dogs bark with the client that oapi-codegen generates.
package main

import (
	"context"
	"net/http"

	"clients/oapi-codegen/client"
	"clients/observations"
)

// The type of a schedule's changes has no name.
func set[T any](field **T) *T {
	*field = new(T)
	return *field
}

func main() {
	access := observations.Read()
	ctx := context.Background()
	var bearer string
	authorize := func(_ context.Context, request *http.Request) error {
		if bearer != "" {
			request.Header.Set("Authorization", "Bearer "+bearer)
		}
		return nil
	}
	dogs := observations.Must(client.NewClientWithResponses(
		access.BaseURL,
		client.WithHTTPClient(observations.HTTPClient),
		client.WithRequestEditorFn(authorize),
	))
	var seen observations.Observations

	token := observations.Must(dogs.IssueTokenWithResponse(ctx, client.TokenRequest{
		GrantType:    client.RefreshToken,
		RefreshToken: access.RefreshToken,
		ClientId:     &access.ClientID,
		ClientSecret: &access.ClientSecret,
	}))
	bearer = token.JSON200.AccessToken
	seen.Token = [2]any{token.StatusCode(), token.JSON200.TokenType}

	dog := access.Prefix + "-records"
	effects := []client.DogRequestBarkEffects{client.DogRequestBarkEffectsRecord}
	created := observations.Must(dogs.PutDogWithResponse(ctx, dog, nil, client.DogRequest{BarkEffects: &effects}))
	seen.Created = []int{created.StatusCode()}

	recorded := observations.Must(dogs.PostBarksWithResponse(ctx, dog, nil, client.BarkRequest{}))
	seen.Recorded = [2]any{recorded.StatusCode(), recorded.JSON201}

	async := "respond-async"
	accepted := observations.Must(
		dogs.PostBarksWithResponse(ctx, dog, &client.PostBarksParams{Prefer: &async}, client.BarkRequest{}),
	)
	seen.Accepted = [2]any{accepted.StatusCode(), accepted.JSON202}

	wait := "wait=20"
	bark := observations.BarkID(accepted.JSON202.Bark)
	performed := observations.Must(dogs.GetBarkWithResponse(ctx, dog, bark, &client.GetBarkParams{Prefer: &wait}))
	seen.Performed = [2]any{performed.StatusCode(), performed.JSON303}

	shown := observations.Must(dogs.GetDogWithResponse(ctx, dog, nil))
	seen.Dog = [2]any{shown.StatusCode(), shown.JSON200.BarkCount}

	frequency := int32(10)
	patch := client.SchedulePatch{}
	barks := set(&patch.Barks)
	barks.Next, barks.Frequency = &access.Next, &frequency
	date := shown.HTTPResponse.Header.Get("Last-Modified")
	patched := observations.Must(dogs.PatchDogWithResponse(ctx, dog, &client.PatchDogParams{IfUnmodifiedSince: date}, patch))
	seen.Patched = patched.StatusCode()

	for _, token := range access.Tokens {
		schedule := client.BarkScheduleRequest{Token: token, Next: access.Next}
		scheduled := observations.Must(dogs.PostBarkScheduleWithResponse(ctx, dog, nil, schedule))
		seen.Scheduled = append(seen.Scheduled, scheduled.StatusCode())
	}
	seen.Print()
}
