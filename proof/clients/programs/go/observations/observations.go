// Package observations reads the access to the service, and prints what a generated client returned.
package observations

import (
	"encoding/json"
	"net/http"
	"os"
	"path"
)

// Access has the fields that `programs/observations.ts` describes.
type Access struct {
	BaseURL      string    `json:"base_url"`
	ClientID     string    `json:"client_id"`
	ClientSecret string    `json:"client_secret"`
	RefreshToken string    `json:"refresh_token"`
	Prefix       string    `json:"prefix"`
	Tokens       []float64 `json:"tokens"`
	Next         int64     `json:"next"`
}

// Observations has the fields that `programs/observations.ts` describes.
type Observations struct {
	Token     [2]any `json:"token"`
	Created   []int  `json:"created"`
	Recorded  [2]any `json:"recorded"`
	Accepted  [2]any `json:"accepted"`
	Performed [2]any `json:"performed"`
	Patched   int    `json:"patched"`
	Scheduled []int  `json:"scheduled"`
	Dog       [2]any `json:"dog"`
}

// Read reads the file that the program got as its argument.
func Read() (access Access) {
	data := Must(os.ReadFile(os.Args[1]))
	Check(json.Unmarshal(data, &access))
	return access
}

// Print prints the observations as JSON.
func (observations Observations) Print() {
	Check(json.NewEncoder(os.Stdout).Encode(observations))
}

// BarkID returns the last segment of the URL of a bark.
func BarkID(location string) string {
	return path.Base(location)
}

// Must returns the value, unless there is an error.
func Must[T any](value T, err error) T {
	Check(err)
	return value
}

// Check ends the program if there is an error.
func Check(err error) {
	if err != nil {
		panic(err)
	}
}

type transport struct{}

func (transport) RoundTrip(request *http.Request) (*http.Response, error) {
	if request.Header.Get("Accept") == "" {
		request = request.Clone(request.Context())
		request.Header.Set("Accept", "application/json")
	}
	return http.DefaultTransport.RoundTrip(request)
}

// HTTPClient follows no redirects, because a 303 has the bark in its body. It accepts JSON, unless a client states what it accepts.
var HTTPClient = &http.Client{
	Transport: transport{},
	CheckRedirect: func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse
	},
}
