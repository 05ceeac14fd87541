// Makes dogs bark with the client that ogen generates.
package main

import (
	"context"

	"clients/observations"
	"clients/ogen/client"

	"github.com/ogen-go/ogen/ogenerrors"
)

type bearer struct{ token string }

func (bearer) Basic(context.Context, client.OperationName) (client.Basic, error) {
	return client.Basic{}, ogenerrors.ErrSkipClientSecurity
}

func (credentials bearer) Bearer(context.Context, client.OperationName) (client.Bearer, error) {
	return client.Bearer{Token: credentials.token}, nil
}

func main() {
	access := observations.Read()
	ctx := context.Background()
	credentials := &bearer{}
	dogs := observations.Must(
		client.NewClient(access.BaseURL, credentials, client.WithClient(observations.HTTPClient)),
	)
	var seen observations.Observations

	issued := observations.Must(dogs.IssueToken(ctx, &client.IssueTokenApplicationJSON{
		GrantType:    "refresh_token",
		RefreshToken: access.RefreshToken,
		ClientID:     client.NewOptString(access.ClientID),
		ClientSecret: client.NewOptString(access.ClientSecret),
	}))
	token := issued.(*client.TokenHeaders).Response
	credentials.token = token.AccessToken
	seen.Token = [2]any{200, token.TokenType}

	dog := access.Prefix + "-records"
	settings := client.DogRequest{BarkEffects: []client.DogRequestBarkEffectsItem{client.DogRequestBarkEffectsItemRecord}}
	created := observations.Must(dogs.PutDog(ctx, &settings, client.PutDogParams{DogID: dog}))
	_ = created.(*client.PutDogCreatedHeaders)
	seen.Created = []int{201}

	barked := observations.Must(dogs.PostBarks(ctx, client.OptBarkRequest{}, client.PostBarksParams{DogID: dog}))
	seen.Recorded = [2]any{201, &barked.(*client.PostBarksCreatedHeaders).Response}

	async := client.PostBarksParams{DogID: dog, Prefer: client.NewOptString("respond-async")}
	accepted := observations.Must(dogs.PostBarks(ctx, client.OptBarkRequest{}, async)).(*client.AcceptedBarkHeaders)
	seen.Accepted = [2]any{202, accepted.Response.Bark}

	wait := client.GetBarkParams{
		DogID:  dog,
		BarkID: observations.BarkID(accepted.Location.Path),
		Prefer: client.NewOptString("wait=20"),
	}
	performed := observations.Must(dogs.GetBark(ctx, wait)).(*client.PostBarksCreatedHeaders)
	seen.Performed = [2]any{303, &performed.Response}

	shown := observations.Must(dogs.GetDog(ctx, client.GetDogParams{DogID: dog})).(*client.DogHeaders)
	seen.Dog = [2]any{200, shown.Response.BarkCount}

	patch := &client.PatchDogApplicationJSON{Barks: client.NewOptNilSchedulePatchBarks(client.SchedulePatchBarks{
		Next:      client.NewOptInt64(access.Next),
		Frequency: client.NewOptNilInt32(10),
	})}
	changes := client.PatchDogParams{DogID: dog, IfUnmodifiedSince: shown.LastModified}
	_ = observations.Must(dogs.PatchDog(ctx, patch, changes)).(*client.PatchDogResetContent)
	seen.Patched = 205

	for _, token := range access.Tokens {
		schedule := client.BarkScheduleRequest{Token: token, Next: access.Next}
		params := client.PostBarkScheduleParams{DogID: dog}
		_ = observations.Must(dogs.PostBarkSchedule(ctx, &schedule, params)).(*client.PostBarkScheduleResetContent)
		seen.Scheduled = append(seen.Scheduled, 205)
	}
	seen.Print()
}
