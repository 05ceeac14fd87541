// Made by `npm run openapi` of the description whose digest is c59e3c5caf3695f2983228f81e906966013863134d7da81db673519e7392978c.

export interface paths {
  readonly '/v1/dogs': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * Lists the dogs, in pages
     * @description The dogs in the order of their ids. A page is at most as long as asked for; `Link` leads on.
     */
    readonly get: operations['ListDogs'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    /**
     * Lists the dogs, in pages: the header fields alone
     * @description The dogs in the order of their ids. A page is at most as long as asked for; `Link` leads on.
     */
    readonly head: operations['ListDogsHead'];
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/v1/dogs/{dog_id}': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        /**
         * @description The id of the dog
         * @example rex
         */
        readonly dog_id: string;
      };
      readonly cookie?: never;
    };
    /**
     * Shows a dog
     * @description What the dog is, how often it barked, its latest 100 barks, and when it barks next. `barks` is absent until there is something to say.
     */
    readonly get: operations['GetDog'];
    /**
     * Creates a dog, or replaces what a client sets of it
     * @description What a bark does is the dog’s own state: it is set here, and nothing of a request to bark chooses it. What GET showed may be sent back. Count, barks and schedule stay as they are.
     */
    readonly put: operations['PutDog'];
    readonly post?: never;
    /**
     * Removes a dog and all that it left
     * @description The dog, its barks and its schedule are gone at once: a new dog of the same id is another.
     */
    readonly delete: operations['DeleteDog'];
    readonly options?: never;
    /**
     * Shows a dog: the header fields alone
     * @description What the dog is, how often it barked, its latest 100 barks, and when it barks next. `barks` is absent until there is something to say.
     */
    readonly head: operations['GetDogHead'];
    /**
     * Sets, changes or ends the dog's bark schedule
     * @description Variant B. The patch speaks of the schedule alone: what it does not name stays as it is, and `{"barks": null}` ends it. The date, the bytes of the body and If-Match identify a request. The service applies it once, however often you send it.
     */
    readonly patch: operations['PatchDog'];
    readonly trace?: never;
  };
  readonly '/v1/dogs/{dog_id}/barks': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        /**
         * @description The id of the dog
         * @example rex
         */
        readonly dog_id: string;
      };
      readonly cookie?: never;
    };
    /**
     * Lists the recorded barks of a dog, newest first, in pages
     * @description The barks that were recorded, the newest first. A page may be short; `Link` leads on.
     */
    readonly get: operations['ListBarks'];
    readonly put?: never;
    /**
     * Makes the dog bark
     * @description Variant A. The dog’s own effects choose the answer: `record` is 201, else `count` is 303, else it is 200; a dog whose handling is `async`, and any under `Prefer: respond-async`, answers 202. Two identical requests make two barks, unless they bear one `Idempotency-Key`.
     */
    readonly post: operations['PostBarks'];
    readonly delete?: never;
    readonly options?: never;
    /**
     * Lists the recorded barks of a dog, newest first, in pages: the header fields alone
     * @description The barks that were recorded, the newest first. A page may be short; `Link` leads on.
     */
    readonly head: operations['ListBarksHead'];
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/v1/dogs/{dog_id}/barks/{bark_id}': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        /**
         * @description The id of the dog
         * @example rex
         */
        readonly dog_id: string;
        /**
         * @description The id of the bark; `s` begins one that happened at once, `a` one that was accepted for later
         * @example s01M7XTJQRGHZ3MM2X05VM3ARQN
         */
        readonly bark_id: string;
      };
      readonly cookie?: never;
    };
    /**
     * Shows a bark
     * @description When it happened; of an asynchronous bark also how far it is. One that records nothing can be looked at for seven days.
     */
    readonly get: operations['GetBark'];
    readonly put?: never;
    readonly post?: never;
    /**
     * Cancels an asynchronous bark
     * @description After a 204 none of its effects happens; cancelled once more, it stays so.
     */
    readonly delete: operations['DeleteBark'];
    readonly options?: never;
    /**
     * Shows a bark: the header fields alone
     * @description When it happened; of an asynchronous bark also how far it is. One that records nothing can be looked at for seven days.
     */
    readonly head: operations['GetBarkHead'];
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/v1/dogs/{dog_id}/bark-schedule': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        /**
         * @description The id of the dog
         * @example rex
         */
        readonly dog_id: string;
      };
      readonly cookie?: never;
    };
    /**
     * Shows when the dog barked last by a schedule, and when it barks next
     * @description From the first bark of a schedule on, `next` is `last` and the frequency.
     */
    readonly get: operations['GetBarkSchedule'];
    readonly put?: never;
    /**
     * Sets the dog's bark schedule, once for each token
     * @description Variant C. A token is remembered as long as the dog lives: sent again with the same content it changes nothing. A new schedule replaces the old one, whichever variant set it.
     */
    readonly post: operations['PostBarkSchedule'];
    /**
     * Ends the dog's bark schedule
     * @description No bark is scheduled after that; the last one stays.
     */
    readonly delete: operations['DeleteBarkSchedule'];
    readonly options?: never;
    /**
     * Shows when the dog barked last by a schedule, and when it barks next: the header fields alone
     * @description From the first bark of a schedule on, `next` is `last` and the frequency.
     */
    readonly head: operations['GetBarkScheduleHead'];
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/v1/dogs/{dog_id}/bark': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        /**
         * @description The id of the dog
         * @example rex
         */
        readonly dog_id: string;
      };
      readonly cookie?: never;
    };
    /**
     * Shows when the dog barked last
     * @description Of whichever variant; a bark of variant A that only sends mail is not noted.
     */
    readonly get: operations['GetLastBark'];
    readonly put?: never;
    /**
     * Makes the dog bark
     * @description Variant C. The dog barks as it does for `barks`, and the bark is always noted. With an `Idempotency-Key` it barks once, however often the request is sent.
     */
    readonly post: operations['PostLastBark'];
    /**
     * Does nothing: a bark cannot be taken back
     * @description It is taken, and ignored.
     */
    readonly delete: operations['DeleteLastBark'];
    readonly options?: never;
    /**
     * Shows when the dog barked last: the header fields alone
     * @description Of whichever variant; a bark of variant A that only sends mail is not noted.
     */
    readonly head: operations['GetLastBarkHead'];
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/oauth2/v4/token': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * Issues an access token for a refresh token
     * @description RFC 6749 section 6. The client proves itself in the body, or by its id and secret in a Basic header. A refresh token never expires, may be used any number of times, and is never replaced. Another method than POST is answered with 405 and an `error`, as every failure here is.
     */
    readonly post: operations['IssueToken'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/.well-known/jwks.json': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * Shows the public keys of the access tokens
     * @description With these anybody can verify an access token of this service.
     */
    readonly get: operations['GetKeys'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    /**
     * Shows the public keys of the access tokens: the header fields alone
     * @description With these anybody can verify an access token of this service.
     */
    readonly head: operations['GetKeysHead'];
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * Shows a page to look at dogs, and to make them bark
     * @description It calls this service with the credentials that are typed into it.
     */
    readonly get: operations['GetConsole'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    /**
     * Shows a page to look at dogs, and to make them bark: the header fields alone
     * @description It calls this service with the credentials that are typed into it.
     */
    readonly head: operations['GetConsoleHead'];
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/openapi.json': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * Describes the interface for programs (OpenAPI 3.1)
     * @description This document.
     */
    readonly get: operations['GetOpenApi'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    /**
     * Describes the interface for programs (OpenAPI 3.1): the header fields alone
     * @description This document.
     */
    readonly head: operations['GetOpenApiHead'];
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/docs': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * Describes the interface for people
     * @description This document, as a page.
     */
    readonly get: operations['GetDocs'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    /**
     * Describes the interface for people: the header fields alone
     * @description This document, as a page.
     */
    readonly head: operations['GetDocsHead'];
    readonly patch?: never;
    readonly trace?: never;
  };
}
export type webhooks = Record<string, never>;
export interface components {
  schemas: {
    /** @description What a client sets of a dog */
    readonly NewDog: {
      /** @description An e-mail address; the effect emailDog needs one */
      readonly email?: string;
      /** @description A URI reference; the effect emailOwner needs mailto: with one address and nothing else */
      readonly owner?: string;
      /**
       * @description What a bark does; record brings count along
       * @default [
       *       "record"
       *     ]
       */
      readonly barkEffects?: readonly ('emailDog' | 'emailOwner' | 'count' | 'record')[];
      /**
       * @description Whether the service responds after a bark has happened (sync), or as soon as it has accepted the bark (async). Default: async with the effect emailOwner, otherwise sync
       * @enum {string}
       */
      readonly barkHandling?: 'sync' | 'async';
      /** @description May be sent back as GET gave it; ignored */
      readonly id?: unknown;
      /** @description May be sent back as GET gave it; ignored */
      readonly barkCount?: unknown;
      /** @description May be sent back as GET gave it; ignored */
      readonly barking?: unknown;
      /** @description May be sent back as GET gave it; ignored */
      readonly barks?: unknown;
    } & (unknown & unknown);
    /** @description A dog */
    readonly Dog: {
      readonly id: string;
      readonly email?: string;
      readonly owner?: string;
      readonly barkCount: number;
      readonly barkEffects: readonly ('emailDog' | 'emailOwner' | 'count' | 'record')[];
      /** @enum {string} */
      readonly barkHandling: 'sync' | 'async';
      /** @description True while an asynchronous bark is pending */
      readonly barking: boolean;
      readonly barks?: {
        /** @description The latest 100 barks at most, oldest first */
        readonly previous: readonly number[];
        /** @description The next occurrence of its schedule, until the dog has barked: it can be past, for up to five minutes */
        readonly next?: number;
        /** @description Minutes from one scheduled bark to the next */
        readonly frequency?: number;
      };
    };
    /** @description A dog as the list shows it */
    readonly ListedDog: {
      readonly id: string;
      readonly email?: string;
      readonly owner?: string;
      readonly barkCount: number;
      readonly barkEffects: readonly ('emailDog' | 'emailOwner' | 'count' | 'record')[];
      /** @enum {string} */
      readonly barkHandling: 'sync' | 'async';
    };
    /** @description A page of dogs */
    readonly DogList: {
      readonly dogs: readonly components['schemas']['ListedDog'][];
    };
    /** @description What a bark may be asked for with */
    readonly NewBark: {
      /** @description The text of the mail of the bark: Unicode without unpaired surrogates */
      readonly message?: string;
    };
    /** @description A bark */
    readonly Bark: {
      readonly id: string;
      /**
       * Format: uri
       * @description URL of the dog
       */
      readonly dog: string;
      /** @description When it happened; null until then */
      readonly timestamp: number | null;
      /** @enum {string} */
      readonly status: 'pending' | 'complete' | 'failed' | 'cancelled';
      /** @description Why it failed */
      readonly reason?: string;
    };
    /** @description A page of recorded barks, the newest first */
    readonly BarkList: {
      readonly barks: readonly components['schemas']['Bark'][];
    };
    /** @description Where to look for a bark that was accepted */
    readonly AcceptedBark: {
      /**
       * Format: uri
       * @description URL of the bark
       */
      readonly bark: string;
      /** @constant */
      readonly status: 'pending';
    };
    /** @description A merge patch (RFC 7396) of a dog's bark schedule */
    readonly SchedulePatch: {
      readonly barks?: {
        /** @description When the dog barks next, in Unix seconds; 0 means now */
        readonly next?: number;
        /** @description Minutes from one bark to the next; 0 and null mean once */
        readonly frequency?: number | null;
        /** @description May be sent back as GET gave it; ignored */
        readonly previous?: unknown;
      } | null;
      /** @description May be sent back as GET gave it; ignored */
      readonly id?: unknown;
      /** @description May be sent back as GET gave it; ignored */
      readonly barkCount?: unknown;
      /** @description May be sent back as GET gave it; ignored */
      readonly barking?: unknown;
    };
    /** @description A bark schedule, and the token by which it is set once */
    readonly NewBarkSchedule: {
      /** @description Any number: what is sent again with it changes nothing */
      readonly token: number;
      /** @description When the dog barks next, in Unix seconds; 0 means now */
      readonly next: number;
      /**
       * @description Minutes from one bark to the next; 0 and null mean once
       * @default null
       */
      readonly frequency?: number | null;
    };
    /** @description When a dog barked last by a schedule, and when it barks next */
    readonly BarkSchedule: {
      /** @description The latest occurrence of any schedule at which the dog barked */
      readonly last: number | null;
      /** @description The next occurrence, until the dog has barked: it can be past, for up to five minutes; null if there is none */
      readonly next: number | null;
    };
    /** @description The last bark of a dog, whichever that is */
    readonly LastBark: {
      /** @description Unix time in seconds */
      readonly timestamp: number;
    };
    /** @description A refresh token, and the client that it was given to */
    readonly TokenRequest: {
      /** @constant */
      readonly grant_type: 'refresh_token';
      readonly refresh_token: string;
      /** @description Absent only where the client is told by Basic */
      readonly client_id?: string;
      /** @description Absent only where the client is told by Basic */
      readonly client_secret?: string;
    };
    /** @description An access token */
    readonly Token: {
      /** @description A signed JWT (RFC 9068) */
      readonly access_token: string;
      /** @constant */
      readonly token_type: 'Bearer';
      /** @description Seconds */
      readonly expires_in: number;
    };
    /** @description Why there is no access token (RFC 6749 section 5.2) */
    readonly TokenError: {
      /** @enum {string} */
      readonly error:
        | 'invalid_request'
        | 'invalid_client'
        | 'invalid_grant'
        | 'unsupported_grant_type'
        | 'temporarily_unavailable'
        | 'server_error';
      readonly error_description?: string;
    };
    /** @description Public keys (RFC 7517) */
    readonly KeySet: {
      readonly keys: readonly {
        /** @constant */
        readonly kty: 'EC';
        /** @constant */
        readonly crv: 'P-256';
        /** @constant */
        readonly alg: 'ES256';
        /** @constant */
        readonly use: 'sig';
        readonly kid: string;
        readonly x: string;
        readonly y: string;
      }[];
    };
    /** @description What went wrong (RFC 9457) */
    readonly Problem: {
      /**
       * @description No type of its own: the status says it
       * @constant
       */
      readonly type: 'about:blank';
      /** @description The name of the status */
      readonly title: string;
      readonly status?: number;
      /** @description What is wrong, in a sentence */
      readonly detail: string;
      /** @description A URI reference: # and the X-Request-Id of the response */
      readonly instance: string;
      /** @description Each field that is wrong */
      readonly errors?: readonly {
        /** @description JSON Pointer (RFC 6901) to the field */
        readonly pointer: string;
        readonly detail: string;
      }[];
    };
  };
  responses: {
    /** @description The request is not well formed, or has an X-HTTP-Method-Override header */
    readonly BadRequest: {
      headers: {
        readonly 'X-Request-Id': components['headers']['X-Request-Id'];
        readonly 'X-Content-Type-Options': components['headers']['X-Content-Type-Options'];
        readonly 'Cache-Control': components['headers']['Cache-Control'];
        readonly 'x-amzn-ErrorType': components['headers']['x-amzn-ErrorType'];
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/problem+json': components['schemas']['Problem'];
      };
    };
    /** @description Missing or wrong credentials, or an X-HTTP-Method-Override header */
    readonly Unauthorized: {
      headers: {
        readonly 'X-Request-Id': components['headers']['X-Request-Id'];
        readonly 'X-Content-Type-Options': components['headers']['X-Content-Type-Options'];
        readonly 'Cache-Control': components['headers']['Cache-Control'];
        readonly 'WWW-Authenticate': components['headers']['WWW-Authenticate'];
        readonly 'x-amzn-ErrorType': components['headers']['x-amzn-ErrorType'];
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/problem+json': components['schemas']['Problem'];
      };
    };
    /** @description The credentials do not allow this, or the firewall refuses it */
    readonly Forbidden: {
      headers: {
        readonly 'X-Request-Id': components['headers']['X-Request-Id'];
        readonly 'X-Content-Type-Options': components['headers']['X-Content-Type-Options'];
        readonly 'Cache-Control': components['headers']['Cache-Control'];
        readonly 'x-amzn-ErrorType': components['headers']['x-amzn-ErrorType'];
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/problem+json': components['schemas']['Problem'];
      };
    };
    /** @description The request is too large. For a body of more than about 6 MB, API Gateway returns a 413 of its own, which is not a problem document. It is JSON with only a `message`, and has none of the header fields below */
    readonly ContentTooLarge: {
      headers: {
        readonly 'X-Request-Id': components['headers']['X-Request-Id'];
        readonly 'X-Content-Type-Options': components['headers']['X-Content-Type-Options'];
        readonly 'Cache-Control': components['headers']['Cache-Control'];
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/problem+json': components['schemas']['Problem'];
      };
    };
    /** @description Too many requests at once */
    readonly TooManyRequests: {
      headers: {
        readonly 'X-Request-Id': components['headers']['X-Request-Id'];
        readonly 'X-Content-Type-Options': components['headers']['X-Content-Type-Options'];
        readonly 'Cache-Control': components['headers']['Cache-Control'];
        readonly 'Retry-After': components['headers']['Retry-After'];
        readonly 'x-amzn-ErrorType': components['headers']['x-amzn-ErrorType'];
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/problem+json': components['schemas']['Problem'];
      };
    };
    /** @description The service failed; whether the request took effect is not known */
    readonly InternalServerError: {
      headers: {
        readonly 'X-Request-Id': components['headers']['X-Request-Id'];
        readonly 'X-Content-Type-Options': components['headers']['X-Content-Type-Options'];
        readonly 'Cache-Control': components['headers']['Cache-Control'];
        readonly 'x-amzn-ErrorType': components['headers']['x-amzn-ErrorType'];
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/problem+json': components['schemas']['Problem'];
      };
    };
    /** @description The service failed, or what it needs refused; the detail tells what took effect */
    readonly BadGateway: {
      headers: {
        readonly 'X-Request-Id': components['headers']['X-Request-Id'];
        readonly 'X-Content-Type-Options': components['headers']['X-Content-Type-Options'];
        readonly 'Cache-Control': components['headers']['Cache-Control'];
        readonly 'x-amzn-ErrorType': components['headers']['x-amzn-ErrorType'];
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/problem+json': components['schemas']['Problem'];
      };
    };
    /** @description A part that is needed is overloaded or out of reach */
    readonly ServiceUnavailable: {
      headers: {
        readonly 'X-Request-Id': components['headers']['X-Request-Id'];
        readonly 'X-Content-Type-Options': components['headers']['X-Content-Type-Options'];
        readonly 'Cache-Control': components['headers']['Cache-Control'];
        readonly 'Retry-After': components['headers']['Retry-After'];
        readonly 'x-amzn-ErrorType': components['headers']['x-amzn-ErrorType'];
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/problem+json': components['schemas']['Problem'];
      };
    };
    /** @description The service did not answer in time; whether the request took effect is not known */
    readonly GatewayTimeout: {
      headers: {
        readonly 'X-Request-Id': components['headers']['X-Request-Id'];
        readonly 'X-Content-Type-Options': components['headers']['X-Content-Type-Options'];
        readonly 'Cache-Control': components['headers']['Cache-Control'];
        readonly 'x-amzn-ErrorType': components['headers']['x-amzn-ErrorType'];
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/problem+json': components['schemas']['Problem'];
      };
    };
  };
  parameters: never;
  requestBodies: never;
  headers: {
    /**
     * @description The id of the request in the logs. API Gateway chooses it
     * @example JKJaXmPLvHcESHA=
     */
    readonly 'X-Request-Id': string;
    /** @description The type of the body is what Content-Type says */
    readonly 'X-Content-Type-Options': 'nosniff';
    /** @description Not to be kept by caches */
    readonly 'Cache-Control': 'no-store';
    /** @description Where to look next */
    readonly Location: string;
    /**
     * @description The strong entity tag of the dog as it is shown
     * @example "01ARZ3NDEKTSV4RRFFQ69G5FAV.7.mB0sU9w1xQyZ"
     */
    readonly ETag: string;
    /**
     * @description When the dog was last changed; it never goes back
     * @example Sat, 21 Nov 2026 07:00:00 GMT
     */
    readonly 'Last-Modified': string;
    /**
     * @description The next page, with rel="next"; absent on the last one
     * @example <https://dogs.example.com/v1/dogs/?limit=20&after=rex>; rel="next"
     */
    readonly NextPage: string;
    /**
     * @description The URL that stays the bark’s own, with rel="bookmark"; absent where nothing is recorded
     * @example <https://dogs.example.com/v1/dogs/rex/barks/s01M7XTJQRGHZ3MM2X05VM3ARQN>; rel="bookmark"
     */
    readonly Record: string;
    /**
     * @description How many seconds to wait before the next try
     * @example 1
     */
    readonly 'Retry-After': string;
    /** @description That Prefer: respond-async was honoured; absent where nobody asked for it */
    readonly 'Preference-Applied': 'respond-async';
    /** @description What of the request the answer depends on */
    readonly Vary: string;
    /** @description The types that POST takes here */
    readonly 'Accept-Post': string;
    /** @description The types that PATCH takes here; where the type was not one of them */
    readonly 'Accept-Patch': string;
    /** @description The types that PUT takes here */
    readonly Accept: string;
    /**
     * @description How to prove who is calling
     * @example Basic realm="dogs", charset="UTF-8", Bearer realm="dogs"
     */
    readonly 'WWW-Authenticate': string;
    /**
     * @description How a client proves itself: WWW-Authenticate, as API Gateway renames it
     * @example Basic realm="dogs", charset="UTF-8"
     */
    readonly 'x-amzn-Remapped-WWW-Authenticate': string;
    /**
     * @description The name of the error; only in a response that API Gateway generates itself
     * @example UnauthorizedException
     */
    readonly 'x-amzn-ErrorType': string;
    /** @description As RFC 6749 has it */
    readonly Pragma: 'no-cache';
    /** @description The page may use its own script and style, and call this service; nothing else */
    readonly 'Content-Security-Policy': string;
    /** @description No other site learns of the page */
    readonly 'Referrer-Policy': 'no-referrer';
  };
  pathItems: never;
}
export type NewDog = components['schemas']['NewDog'];
export type Dog = components['schemas']['Dog'];
export type ListedDog = components['schemas']['ListedDog'];
export type DogList = components['schemas']['DogList'];
export type NewBark = components['schemas']['NewBark'];
export type Bark = components['schemas']['Bark'];
export type BarkList = components['schemas']['BarkList'];
export type AcceptedBark = components['schemas']['AcceptedBark'];
export type SchedulePatch = components['schemas']['SchedulePatch'];
export type NewBarkSchedule = components['schemas']['NewBarkSchedule'];
export type BarkSchedule = components['schemas']['BarkSchedule'];
export type LastBark = components['schemas']['LastBark'];
export type TokenRequest = components['schemas']['TokenRequest'];
export type Token = components['schemas']['Token'];
export type TokenError = components['schemas']['TokenError'];
export type KeySet = components['schemas']['KeySet'];
export type Problem = components['schemas']['Problem'];
export type ResponseBadRequest = components['responses']['BadRequest'];
export type ResponseUnauthorized = components['responses']['Unauthorized'];
export type ResponseForbidden = components['responses']['Forbidden'];
export type ResponseContentTooLarge = components['responses']['ContentTooLarge'];
export type ResponseTooManyRequests = components['responses']['TooManyRequests'];
export type ResponseInternalServerError = components['responses']['InternalServerError'];
export type ResponseBadGateway = components['responses']['BadGateway'];
export type ResponseServiceUnavailable = components['responses']['ServiceUnavailable'];
export type ResponseGatewayTimeout = components['responses']['GatewayTimeout'];
export type HeaderXRequestId = components['headers']['X-Request-Id'];
export type HeaderXContentTypeOptions = components['headers']['X-Content-Type-Options'];
export type HeaderCacheControl = components['headers']['Cache-Control'];
export type HeaderLocation = components['headers']['Location'];
export type HeaderETag = components['headers']['ETag'];
export type HeaderLastModified = components['headers']['Last-Modified'];
export type HeaderNextPage = components['headers']['NextPage'];
export type HeaderRecord = components['headers']['Record'];
export type HeaderRetryAfter = components['headers']['Retry-After'];
export type HeaderPreferenceApplied = components['headers']['Preference-Applied'];
export type HeaderVary = components['headers']['Vary'];
export type HeaderAcceptPost = components['headers']['Accept-Post'];
export type HeaderAcceptPatch = components['headers']['Accept-Patch'];
export type HeaderAccept = components['headers']['Accept'];
export type HeaderWwwAuthenticate = components['headers']['WWW-Authenticate'];
export type HeaderXAmznRemappedWwwAuthenticate = components['headers']['x-amzn-Remapped-WWW-Authenticate'];
export type HeaderXAmznErrorType = components['headers']['x-amzn-ErrorType'];
export type HeaderPragma = components['headers']['Pragma'];
export type HeaderContentSecurityPolicy = components['headers']['Content-Security-Policy'];
export type HeaderReferrerPolicy = components['headers']['Referrer-Policy'];
export type $defs = Record<string, never>;
export interface operations {
  readonly ListDogs: {
    readonly parameters: {
      readonly query?: {
        /** @description How many there are on a page at most; over 100 counts as 100 */
        readonly limit?: number;
        /** @description Where the page begins, as the Link to it has it */
        readonly after?: string;
      };
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description A page of dogs */
      readonly 200: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly 'X-Content-Type-Options': components['headers']['X-Content-Type-Options'];
          readonly 'Cache-Control': components['headers']['Cache-Control'];
          readonly Link: components['headers']['NextPage'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['DogList'];
        };
      };
      /** @description There is no such page */
      readonly 400: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly 'X-Content-Type-Options': components['headers']['X-Content-Type-Options'];
          readonly 'Cache-Control': components['headers']['Cache-Control'];
          readonly 'x-amzn-ErrorType': components['headers']['x-amzn-ErrorType'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 502: components['responses']['BadGateway'];
      readonly 503: components['responses']['ServiceUnavailable'];
      readonly 504: components['responses']['GatewayTimeout'];
    };
  };
  readonly ListDogsHead: {
    readonly parameters: {
      readonly query?: {
        /** @description How many there are on a page at most; over 100 counts as 100 */
        readonly limit?: number;
        /** @description Where the page begins, as the Link to it has it */
        readonly after?: string;
      };
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description A page of dogs */
      readonly 200: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly 'X-Content-Type-Options': components['headers']['X-Content-Type-Options'];
          readonly 'Cache-Control': components['headers']['Cache-Control'];
          readonly Link: components['headers']['NextPage'];
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      /** @description There is no such page */
      readonly 400: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly 'X-Content-Type-Options': components['headers']['X-Content-Type-Options'];
          readonly 'Cache-Control': components['headers']['Cache-Control'];
          readonly 'x-amzn-ErrorType': components['headers']['x-amzn-ErrorType'];
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 502: components['responses']['BadGateway'];
      readonly 503: components['responses']['ServiceUnavailable'];
      readonly 504: components['responses']['GatewayTimeout'];
    };
  };
  readonly GetDog: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /**
         * @description The entity tags that the client has, or `*`. If the dog has one of them, the response is 304
         * @example "01ARZ3NDEKTSV4RRFFQ69G5FAV.7.mB0sU9w1xQyZ"
         */
        readonly 'If-None-Match'?: string;
        /**
         * @description The Last-Modified that the client has. If nothing has changed since then, the response is 304. The service ignores this header if the request has If-None-Match, which is exact even if the dog changes twice in a second
         * @example Sat, 21 Nov 2026 07:00:00 GMT
         */
        readonly 'If-Modified-Since'?: string;
        /**
         * @description The entity tags of the representations that the client wants, or `*` for any
         * @example "01ARZ3NDEKTSV4RRFFQ69G5FAV.7.mB0sU9w1xQyZ"
         */
        readonly 'If-Match'?: string;
        /**
         * @description The time after which the dog must not have changed. The service ignores this header if the request has If-Match
         * @example Sat, 21 Nov 2026 07:00:00 GMT
         */
        readonly 'If-Unmodified-Since'?: string;
      };
      readonly path: {
        /**
         * @description The id of the dog
         * @example rex
         */
        readonly dog_id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The dog */
      readonly 200: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly 'X-Content-Type-Options': components['headers']['X-Content-Type-Options'];
          /** @description To be kept by the client alone, and to be checked */
          readonly 'Cache-Control': string;
          readonly ETag: components['headers']['ETag'];
          readonly 'Last-Modified': components['headers']['Last-Modified'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Dog'];
        };
      };
      /** @description The client has it already */
      readonly 304: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly 'X-Content-Type-Options': components['headers']['X-Content-Type-Options'];
          /** @description To be kept by the client alone, and to be checked */
          readonly 'Cache-Control': string;
          readonly ETag: components['headers']['ETag'];
          readonly 'Last-Modified': components['headers']['Last-Modified'];
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      /** @description If-Match or If-None-Match is not well formed */
      readonly 400: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly 'X-Content-Type-Options': components['headers']['X-Content-Type-Options'];
          readonly 'Cache-Control': components['headers']['Cache-Control'];
          readonly 'x-amzn-ErrorType': components['headers']['x-amzn-ErrorType'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      /** @description There is no such dog */
      readonly 404: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly 'X-Content-Type-Options': components['headers']['X-Content-Type-Options'];
          readonly 'Cache-Control': components['headers']['Cache-Control'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description If-Match or If-Unmodified-Since fails */
      readonly 412: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly 'X-Content-Type-Options': components['headers']['X-Content-Type-Options'];
          readonly 'Cache-Control': components['headers']['Cache-Control'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 502: components['responses']['BadGateway'];
      readonly 503: components['responses']['ServiceUnavailable'];
      readonly 504: components['responses']['GatewayTimeout'];
    };
  };
  readonly PutDog: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /**
         * @description The entity tags of the states in which the dog may be changed, or `*` for any
         * @example "01ARZ3NDEKTSV4RRFFQ69G5FAV.7.mB0sU9w1xQyZ"
         */
        readonly 'If-Match'?: string;
        /**
         * @description The entity tags of the states in which it may not, or `*`: only if there is no such dog
         * @example *
         */
        readonly 'If-None-Match'?: string;
        /**
         * @description The time after which the dog must not have changed. A bark is a change. The service ignores this header if the request has If-Match
         * @example Sat, 21 Nov 2026 07:00:00 GMT
         */
        readonly 'If-Unmodified-Since'?: string;
      };
      readonly path: {
        /**
         * @description The id of the dog
         * @example rex
         */
        readonly dog_id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': components['schemas']['NewDog'];
      };
    };
    readonly responses: {
      /** @description The dog was created */
      readonly 201: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly 'X-Content-Type-Options': components['headers']['X-Content-Type-Options'];
          readonly 'Cache-Control': components['headers']['Cache-Control'];
          /** @description URL of the dog */
          readonly Location: components['headers']['Location'];
          readonly ETag: components['headers']['ETag'];
          readonly 'Last-Modified': components['headers']['Last-Modified'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Dog'];
        };
      };
      /** @description The dog was replaced */
      readonly 204: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly 'X-Content-Type-Options': components['headers']['X-Content-Type-Options'];
          readonly 'Cache-Control': components['headers']['Cache-Control'];
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The body is not JSON, or a header field is not well formed */
      readonly 400: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly 'X-Content-Type-Options': components['headers']['X-Content-Type-Options'];
          readonly 'Cache-Control': components['headers']['Cache-Control'];
          readonly 'x-amzn-ErrorType': components['headers']['x-amzn-ErrorType'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      /** @description The dog is not in the state that was demanded */
      readonly 412: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly 'X-Content-Type-Options': components['headers']['X-Content-Type-Options'];
          readonly 'Cache-Control': components['headers']['Cache-Control'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      readonly 413: components['responses']['ContentTooLarge'];
      /** @description The body is not JSON by its type */
      readonly 415: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly 'X-Content-Type-Options': components['headers']['X-Content-Type-Options'];
          readonly 'Cache-Control': components['headers']['Cache-Control'];
          readonly Accept: components['headers']['Accept'];
          readonly 'x-amzn-ErrorType': components['headers']['x-amzn-ErrorType'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The body is not as it should be; each fault is named */
      readonly 422: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly 'X-Content-Type-Options': components['headers']['X-Content-Type-Options'];
          readonly 'Cache-Control': components['headers']['Cache-Control'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 502: components['responses']['BadGateway'];
      readonly 503: components['responses']['ServiceUnavailable'];
      readonly 504: components['responses']['GatewayTimeout'];
    };
  };
  readonly DeleteDog: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /**
         * @description The entity tags of the states in which the dog may be changed, or `*` for any
         * @example "01ARZ3NDEKTSV4RRFFQ69G5FAV.7.mB0sU9w1xQyZ"
         */
        readonly 'If-Match'?: string;
        /**
         * @description The entity tags of the states in which it may not, or `*`: only if there is no such dog
         * @example *
         */
        readonly 'If-None-Match'?: string;
        /**
         * @description The time after which the dog must not have changed. A bark is a change. The service ignores this header if the request has If-Match
         * @example Sat, 21 Nov 2026 07:00:00 GMT
         */
        readonly 'If-Unmodified-Since'?: string;
      };
      readonly path: {
        /**
         * @description The id of the dog
         * @example rex
         */
        readonly dog_id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The dog is gone */
      readonly 204: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly 'X-Content-Type-Options': components['headers']['X-Content-Type-Options'];
          readonly 'Cache-Control': components['headers']['Cache-Control'];
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      /** @description If-Match or If-None-Match is not well formed */
      readonly 400: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly 'X-Content-Type-Options': components['headers']['X-Content-Type-Options'];
          readonly 'Cache-Control': components['headers']['Cache-Control'];
          readonly 'x-amzn-ErrorType': components['headers']['x-amzn-ErrorType'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      /** @description There is no such dog */
      readonly 404: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly 'X-Content-Type-Options': components['headers']['X-Content-Type-Options'];
          readonly 'Cache-Control': components['headers']['Cache-Control'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The dog is not in the state that was demanded */
      readonly 412: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly 'X-Content-Type-Options': components['headers']['X-Content-Type-Options'];
          readonly 'Cache-Control': components['headers']['Cache-Control'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 502: components['responses']['BadGateway'];
      readonly 503: components['responses']['ServiceUnavailable'];
      readonly 504: components['responses']['GatewayTimeout'];
    };
  };
  readonly GetDogHead: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /**
         * @description The entity tags that the client has, or `*`. If the dog has one of them, the response is 304
         * @example "01ARZ3NDEKTSV4RRFFQ69G5FAV.7.mB0sU9w1xQyZ"
         */
        readonly 'If-None-Match'?: string;
        /**
         * @description The Last-Modified that the client has. If nothing has changed since then, the response is 304. The service ignores this header if the request has If-None-Match, which is exact even if the dog changes twice in a second
         * @example Sat, 21 Nov 2026 07:00:00 GMT
         */
        readonly 'If-Modified-Since'?: string;
        /**
         * @description The entity tags of the representations that the client wants, or `*` for any
         * @example "01ARZ3NDEKTSV4RRFFQ69G5FAV.7.mB0sU9w1xQyZ"
         */
        readonly 'If-Match'?: string;
        /**
         * @description The time after which the dog must not have changed. The service ignores this header if the request has If-Match
         * @example Sat, 21 Nov 2026 07:00:00 GMT
         */
        readonly 'If-Unmodified-Since'?: string;
      };
      readonly path: {
        /**
         * @description The id of the dog
         * @example rex
         */
        readonly dog_id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The dog */
      readonly 200: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly 'X-Content-Type-Options': components['headers']['X-Content-Type-Options'];
          /** @description To be kept by the client alone, and to be checked */
          readonly 'Cache-Control': string;
          readonly ETag: components['headers']['ETag'];
          readonly 'Last-Modified': components['headers']['Last-Modified'];
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The client has it already */
      readonly 304: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly 'X-Content-Type-Options': components['headers']['X-Content-Type-Options'];
          /** @description To be kept by the client alone, and to be checked */
          readonly 'Cache-Control': string;
          readonly ETag: components['headers']['ETag'];
          readonly 'Last-Modified': components['headers']['Last-Modified'];
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      /** @description If-Match or If-None-Match is not well formed */
      readonly 400: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly 'X-Content-Type-Options': components['headers']['X-Content-Type-Options'];
          readonly 'Cache-Control': components['headers']['Cache-Control'];
          readonly 'x-amzn-ErrorType': components['headers']['x-amzn-ErrorType'];
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      /** @description There is no such dog */
      readonly 404: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly 'X-Content-Type-Options': components['headers']['X-Content-Type-Options'];
          readonly 'Cache-Control': components['headers']['Cache-Control'];
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      /** @description If-Match or If-Unmodified-Since fails */
      readonly 412: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly 'X-Content-Type-Options': components['headers']['X-Content-Type-Options'];
          readonly 'Cache-Control': components['headers']['Cache-Control'];
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 502: components['responses']['BadGateway'];
      readonly 503: components['responses']['ServiceUnavailable'];
      readonly 504: components['responses']['GatewayTimeout'];
    };
  };
  readonly PatchDog: {
    readonly parameters: {
      readonly query?: never;
      readonly header: {
        /**
         * @description The Date or the Last-Modified of your last GET, or the time at which you first send this patch. A patch that you send again with the same date, body and If-Match has no further effect. The service refuses a date before the last change by a client. It also refuses a date that is both later than Last-Modified and more than five minutes ahead of its clock
         * @example Sat, 21 Nov 2026 07:00:00 GMT
         */
        readonly 'If-Unmodified-Since': string;
        /**
         * @description The entity tags of the states in which the dog may be changed, or `*` for any
         * @example "01ARZ3NDEKTSV4RRFFQ69G5FAV.7.mB0sU9w1xQyZ"
         */
        readonly 'If-Match'?: string;
        /**
         * @description The entity tags of the states in which it may not, or `*`: only if there is no such dog
         * @example *
         */
        readonly 'If-None-Match'?: string;
      };
      readonly path: {
        /**
         * @description The id of the dog
         * @example rex
         */
        readonly dog_id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': components['schemas']['SchedulePatch'];
        readonly 'application/merge-patch+json': components['schemas']['SchedulePatch'];
      };
    };
    readonly responses: {
      /** @description It was applied before, or changes nothing */
      readonly 204: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly 'X-Content-Type-Options': components['headers']['X-Content-Type-Options'];
          readonly 'Cache-Control': components['headers']['Cache-Control'];
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The dog has another schedule now: read it again */
      readonly 205: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly 'X-Content-Type-Options': components['headers']['X-Content-Type-Options'];
          readonly 'Cache-Control': components['headers']['Cache-Control'];
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      /** @description The patch failed, for the reason that is told; or the credentials do not allow it */
      readonly 403: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly 'X-Content-Type-Options': components['headers']['X-Content-Type-Options'];
          readonly 'Cache-Control': components['headers']['Cache-Control'];
          readonly 'Accept-Patch': components['headers']['Accept-Patch'];
          readonly 'x-amzn-ErrorType': components['headers']['x-amzn-ErrorType'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description There is no such dog */
      readonly 404: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly 'X-Content-Type-Options': components['headers']['X-Content-Type-Options'];
          readonly 'Cache-Control': components['headers']['Cache-Control'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 502: components['responses']['BadGateway'];
      readonly 503: components['responses']['ServiceUnavailable'];
      readonly 504: components['responses']['GatewayTimeout'];
    };
  };
  readonly ListBarks: {
    readonly parameters: {
      readonly query?: {
        /** @description How many there are on a page at most; over 100 counts as 100 */
        readonly limit?: number;
        /** @description Where the page begins, as the Link to it has it */
        readonly after?: string;
      };
      readonly header?: never;
      readonly path: {
        /**
         * @description The id of the dog
         * @example rex
         */
        readonly dog_id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description A page of barks */
      readonly 200: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly 'X-Content-Type-Options': components['headers']['X-Content-Type-Options'];
          readonly 'Cache-Control': components['headers']['Cache-Control'];
          readonly Link: components['headers']['NextPage'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['BarkList'];
        };
      };
      /** @description There is no such page */
      readonly 400: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly 'X-Content-Type-Options': components['headers']['X-Content-Type-Options'];
          readonly 'Cache-Control': components['headers']['Cache-Control'];
          readonly 'x-amzn-ErrorType': components['headers']['x-amzn-ErrorType'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      /** @description There is no such dog */
      readonly 404: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly 'X-Content-Type-Options': components['headers']['X-Content-Type-Options'];
          readonly 'Cache-Control': components['headers']['Cache-Control'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 502: components['responses']['BadGateway'];
      readonly 503: components['responses']['ServiceUnavailable'];
      readonly 504: components['responses']['GatewayTimeout'];
    };
  };
  readonly PostBarks: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /**
         * @description `respond-async` asks for an answer before the bark has happened (RFC 7240)
         * @example respond-async
         */
        readonly Prefer?: string;
        /**
         * @description A string in double quotes, a UUID for instance, by which the request is known for a day: sent again it has the answer that it had first, and no other effect (draft-ietf-httpapi-idempotency-key-header). It belongs to the user, and to this path
         * @example "8e03978e-40d5-43e8-bc93-6894a57f9324"
         */
        readonly 'Idempotency-Key'?: string;
      };
      readonly path: {
        /**
         * @description The id of the dog
         * @example rex
         */
        readonly dog_id: string;
      };
      readonly cookie?: never;
    };
    /** @description An empty body of any type is none. */
    readonly requestBody?: {
      readonly content: {
        readonly 'application/json': components['schemas']['NewBark'];
      };
    };
    readonly responses: {
      /** @description Mail was sent, and nothing is kept */
      readonly 200: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly 'X-Content-Type-Options': components['headers']['X-Content-Type-Options'];
          readonly 'Cache-Control': components['headers']['Cache-Control'];
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The bark is recorded */
      readonly 201: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly 'X-Content-Type-Options': components['headers']['X-Content-Type-Options'];
          readonly 'Cache-Control': components['headers']['Cache-Control'];
          /** @description URL of the bark */
          readonly Location: components['headers']['Location'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Bark'];
        };
      };
      /** @description The bark was accepted, and happens later: a short note with a link, as JSON where `Accept` prefers it */
      readonly 202: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly 'X-Content-Type-Options': components['headers']['X-Content-Type-Options'];
          readonly 'Cache-Control': components['headers']['Cache-Control'];
          /** @description URL of the bark */
          readonly Location: components['headers']['Location'];
          readonly 'Retry-After': components['headers']['Retry-After'];
          readonly 'Preference-Applied': components['headers']['Preference-Applied'];
          readonly Vary: components['headers']['Vary'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'text/html': string;
          readonly 'application/json': components['schemas']['AcceptedBark'];
        };
      };
      /** @description The dog has changed */
      readonly 303: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly 'X-Content-Type-Options': components['headers']['X-Content-Type-Options'];
          readonly 'Cache-Control': components['headers']['Cache-Control'];
          /** @description URL of the dog */
          readonly Location: components['headers']['Location'];
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The body is not JSON, or a header field is not well formed */
      readonly 400: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly 'X-Content-Type-Options': components['headers']['X-Content-Type-Options'];
          readonly 'Cache-Control': components['headers']['Cache-Control'];
          readonly 'x-amzn-ErrorType': components['headers']['x-amzn-ErrorType'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      /** @description There is no such dog */
      readonly 404: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly 'X-Content-Type-Options': components['headers']['X-Content-Type-Options'];
          readonly 'Cache-Control': components['headers']['Cache-Control'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request was sent before, and is under way: it has an answer a little later */
      readonly 409: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly 'X-Content-Type-Options': components['headers']['X-Content-Type-Options'];
          readonly 'Cache-Control': components['headers']['Cache-Control'];
          readonly 'Retry-After': components['headers']['Retry-After'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      readonly 413: components['responses']['ContentTooLarge'];
      /** @description The body is not JSON by its type */
      readonly 415: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly 'X-Content-Type-Options': components['headers']['X-Content-Type-Options'];
          readonly 'Cache-Control': components['headers']['Cache-Control'];
          readonly 'Accept-Post': components['headers']['Accept-Post'];
          readonly 'x-amzn-ErrorType': components['headers']['x-amzn-ErrorType'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The body is not as it should be, each fault is named; or the key is another request’s */
      readonly 422: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly 'X-Content-Type-Options': components['headers']['X-Content-Type-Options'];
          readonly 'Cache-Control': components['headers']['Cache-Control'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      /** @description The mail was refused, and nothing was counted; or the service failed */
      readonly 502: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly 'X-Content-Type-Options': components['headers']['X-Content-Type-Options'];
          readonly 'Cache-Control': components['headers']['Cache-Control'];
          readonly 'x-amzn-ErrorType': components['headers']['x-amzn-ErrorType'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      readonly 503: components['responses']['ServiceUnavailable'];
      readonly 504: components['responses']['GatewayTimeout'];
    };
  };
  readonly ListBarksHead: {
    readonly parameters: {
      readonly query?: {
        /** @description How many there are on a page at most; over 100 counts as 100 */
        readonly limit?: number;
        /** @description Where the page begins, as the Link to it has it */
        readonly after?: string;
      };
      readonly header?: never;
      readonly path: {
        /**
         * @description The id of the dog
         * @example rex
         */
        readonly dog_id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description A page of barks */
      readonly 200: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly 'X-Content-Type-Options': components['headers']['X-Content-Type-Options'];
          readonly 'Cache-Control': components['headers']['Cache-Control'];
          readonly Link: components['headers']['NextPage'];
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      /** @description There is no such page */
      readonly 400: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly 'X-Content-Type-Options': components['headers']['X-Content-Type-Options'];
          readonly 'Cache-Control': components['headers']['Cache-Control'];
          readonly 'x-amzn-ErrorType': components['headers']['x-amzn-ErrorType'];
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      /** @description There is no such dog */
      readonly 404: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly 'X-Content-Type-Options': components['headers']['X-Content-Type-Options'];
          readonly 'Cache-Control': components['headers']['Cache-Control'];
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 502: components['responses']['BadGateway'];
      readonly 503: components['responses']['ServiceUnavailable'];
      readonly 504: components['responses']['GatewayTimeout'];
    };
  };
  readonly GetBark: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        /**
         * @description The id of the dog
         * @example rex
         */
        readonly dog_id: string;
        /**
         * @description The id of the bark; `s` begins one that happened at once, `a` one that was accepted for later
         * @example s01M7XTJQRGHZ3MM2X05VM3ARQN
         */
        readonly bark_id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The bark */
      readonly 200: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly 'X-Content-Type-Options': components['headers']['X-Content-Type-Options'];
          readonly 'Cache-Control': components['headers']['Cache-Control'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Bark'];
        };
      };
      /** @description The bark is complete and has changed the dog, which is what there is to see */
      readonly 303: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly 'X-Content-Type-Options': components['headers']['X-Content-Type-Options'];
          readonly 'Cache-Control': components['headers']['Cache-Control'];
          /** @description URL of the dog */
          readonly Location: components['headers']['Location'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Bark'];
        };
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      /** @description There is no such dog or bark */
      readonly 404: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly 'X-Content-Type-Options': components['headers']['X-Content-Type-Options'];
          readonly 'Cache-Control': components['headers']['Cache-Control'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 502: components['responses']['BadGateway'];
      readonly 503: components['responses']['ServiceUnavailable'];
      readonly 504: components['responses']['GatewayTimeout'];
    };
  };
  readonly DeleteBark: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        /**
         * @description The id of the dog
         * @example rex
         */
        readonly dog_id: string;
        /**
         * @description The id of the bark; `s` begins one that happened at once, `a` one that was accepted for later
         * @example s01M7XTJQRGHZ3MM2X05VM3ARQN
         */
        readonly bark_id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The bark is cancelled */
      readonly 204: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly 'X-Content-Type-Options': components['headers']['X-Content-Type-Options'];
          readonly 'Cache-Control': components['headers']['Cache-Control'];
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      /** @description There is no such dog or bark */
      readonly 404: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly 'X-Content-Type-Options': components['headers']['X-Content-Type-Options'];
          readonly 'Cache-Control': components['headers']['Cache-Control'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description It has happened, or has begun to, and can be cancelled no more */
      readonly 409: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly 'X-Content-Type-Options': components['headers']['X-Content-Type-Options'];
          readonly 'Cache-Control': components['headers']['Cache-Control'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 502: components['responses']['BadGateway'];
      readonly 503: components['responses']['ServiceUnavailable'];
      readonly 504: components['responses']['GatewayTimeout'];
    };
  };
  readonly GetBarkHead: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        /**
         * @description The id of the dog
         * @example rex
         */
        readonly dog_id: string;
        /**
         * @description The id of the bark; `s` begins one that happened at once, `a` one that was accepted for later
         * @example s01M7XTJQRGHZ3MM2X05VM3ARQN
         */
        readonly bark_id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The bark */
      readonly 200: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly 'X-Content-Type-Options': components['headers']['X-Content-Type-Options'];
          readonly 'Cache-Control': components['headers']['Cache-Control'];
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The bark is complete and has changed the dog, which is what there is to see */
      readonly 303: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly 'X-Content-Type-Options': components['headers']['X-Content-Type-Options'];
          readonly 'Cache-Control': components['headers']['Cache-Control'];
          /** @description URL of the dog */
          readonly Location: components['headers']['Location'];
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      /** @description There is no such dog or bark */
      readonly 404: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly 'X-Content-Type-Options': components['headers']['X-Content-Type-Options'];
          readonly 'Cache-Control': components['headers']['Cache-Control'];
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 502: components['responses']['BadGateway'];
      readonly 503: components['responses']['ServiceUnavailable'];
      readonly 504: components['responses']['GatewayTimeout'];
    };
  };
  readonly GetBarkSchedule: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        /**
         * @description The id of the dog
         * @example rex
         */
        readonly dog_id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The schedule */
      readonly 200: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly 'X-Content-Type-Options': components['headers']['X-Content-Type-Options'];
          readonly 'Cache-Control': components['headers']['Cache-Control'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['BarkSchedule'];
        };
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      /** @description There is no such dog, or it never had a schedule */
      readonly 404: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly 'X-Content-Type-Options': components['headers']['X-Content-Type-Options'];
          readonly 'Cache-Control': components['headers']['Cache-Control'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 502: components['responses']['BadGateway'];
      readonly 503: components['responses']['ServiceUnavailable'];
      readonly 504: components['responses']['GatewayTimeout'];
    };
  };
  readonly PostBarkSchedule: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        /**
         * @description The id of the dog
         * @example rex
         */
        readonly dog_id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': components['schemas']['NewBarkSchedule'];
      };
    };
    readonly responses: {
      /** @description The schedule stands: read it again */
      readonly 205: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly 'X-Content-Type-Options': components['headers']['X-Content-Type-Options'];
          readonly 'Cache-Control': components['headers']['Cache-Control'];
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The body is not JSON, or a header field is not well formed */
      readonly 400: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly 'X-Content-Type-Options': components['headers']['X-Content-Type-Options'];
          readonly 'Cache-Control': components['headers']['Cache-Control'];
          readonly 'x-amzn-ErrorType': components['headers']['x-amzn-ErrorType'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      /** @description There is no such dog */
      readonly 404: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly 'X-Content-Type-Options': components['headers']['X-Content-Type-Options'];
          readonly 'Cache-Control': components['headers']['Cache-Control'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      readonly 413: components['responses']['ContentTooLarge'];
      /** @description The body is not JSON by its type */
      readonly 415: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly 'X-Content-Type-Options': components['headers']['X-Content-Type-Options'];
          readonly 'Cache-Control': components['headers']['Cache-Control'];
          readonly 'Accept-Post': components['headers']['Accept-Post'];
          readonly 'x-amzn-ErrorType': components['headers']['x-amzn-ErrorType'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The body is not as it should be; each fault is named */
      readonly 422: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly 'X-Content-Type-Options': components['headers']['X-Content-Type-Options'];
          readonly 'Cache-Control': components['headers']['Cache-Control'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      /** @description The scheduler refuses the schedule, and nothing has changed; or the service failed */
      readonly 502: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly 'X-Content-Type-Options': components['headers']['X-Content-Type-Options'];
          readonly 'Cache-Control': components['headers']['Cache-Control'];
          readonly 'x-amzn-ErrorType': components['headers']['x-amzn-ErrorType'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      readonly 503: components['responses']['ServiceUnavailable'];
      readonly 504: components['responses']['GatewayTimeout'];
    };
  };
  readonly DeleteBarkSchedule: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        /**
         * @description The id of the dog
         * @example rex
         */
        readonly dog_id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The schedule has ended */
      readonly 204: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly 'X-Content-Type-Options': components['headers']['X-Content-Type-Options'];
          readonly 'Cache-Control': components['headers']['Cache-Control'];
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      /** @description There is no such dog, or it never had a schedule */
      readonly 404: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly 'X-Content-Type-Options': components['headers']['X-Content-Type-Options'];
          readonly 'Cache-Control': components['headers']['Cache-Control'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 502: components['responses']['BadGateway'];
      readonly 503: components['responses']['ServiceUnavailable'];
      readonly 504: components['responses']['GatewayTimeout'];
    };
  };
  readonly GetBarkScheduleHead: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        /**
         * @description The id of the dog
         * @example rex
         */
        readonly dog_id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The schedule */
      readonly 200: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly 'X-Content-Type-Options': components['headers']['X-Content-Type-Options'];
          readonly 'Cache-Control': components['headers']['Cache-Control'];
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      /** @description There is no such dog, or it never had a schedule */
      readonly 404: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly 'X-Content-Type-Options': components['headers']['X-Content-Type-Options'];
          readonly 'Cache-Control': components['headers']['Cache-Control'];
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 502: components['responses']['BadGateway'];
      readonly 503: components['responses']['ServiceUnavailable'];
      readonly 504: components['responses']['GatewayTimeout'];
    };
  };
  readonly GetLastBark: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        /**
         * @description The id of the dog
         * @example rex
         */
        readonly dog_id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The last bark */
      readonly 200: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly 'X-Content-Type-Options': components['headers']['X-Content-Type-Options'];
          readonly 'Cache-Control': components['headers']['Cache-Control'];
          readonly Link: components['headers']['Record'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['LastBark'];
        };
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      /** @description There is no such dog, or it has not barked */
      readonly 404: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly 'X-Content-Type-Options': components['headers']['X-Content-Type-Options'];
          readonly 'Cache-Control': components['headers']['Cache-Control'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 502: components['responses']['BadGateway'];
      readonly 503: components['responses']['ServiceUnavailable'];
      readonly 504: components['responses']['GatewayTimeout'];
    };
  };
  readonly PostLastBark: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /**
         * @description `respond-async` asks for an answer before the bark has happened (RFC 7240)
         * @example respond-async
         */
        readonly Prefer?: string;
        /**
         * @description A string in double quotes, a UUID for instance, by which the request is known for a day: sent again it has the answer that it had first, and no other effect (draft-ietf-httpapi-idempotency-key-header). It belongs to the user, and to this path
         * @example "8e03978e-40d5-43e8-bc93-6894a57f9324"
         */
        readonly 'Idempotency-Key'?: string;
      };
      readonly path: {
        /**
         * @description The id of the dog
         * @example rex
         */
        readonly dog_id: string;
      };
      readonly cookie?: never;
    };
    /** @description An empty body of any type is none. */
    readonly requestBody?: {
      readonly content: {
        readonly 'application/json': components['schemas']['NewBark'];
      };
    };
    readonly responses: {
      /** @description The dog has barked */
      readonly 201: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly 'X-Content-Type-Options': components['headers']['X-Content-Type-Options'];
          readonly 'Cache-Control': components['headers']['Cache-Control'];
          /** @description URL of the last bark, whichever that is */
          readonly Location: components['headers']['Location'];
          readonly Link: components['headers']['Record'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['LastBark'];
        };
      };
      /** @description The bark was accepted, and happens later: a short note with a link, as JSON where `Accept` prefers it */
      readonly 202: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly 'X-Content-Type-Options': components['headers']['X-Content-Type-Options'];
          readonly 'Cache-Control': components['headers']['Cache-Control'];
          /** @description URL of the bark */
          readonly Location: components['headers']['Location'];
          readonly 'Retry-After': components['headers']['Retry-After'];
          readonly 'Preference-Applied': components['headers']['Preference-Applied'];
          readonly Vary: components['headers']['Vary'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'text/html': string;
          readonly 'application/json': components['schemas']['AcceptedBark'];
        };
      };
      /** @description The body is not JSON, or a header field is not well formed */
      readonly 400: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly 'X-Content-Type-Options': components['headers']['X-Content-Type-Options'];
          readonly 'Cache-Control': components['headers']['Cache-Control'];
          readonly 'x-amzn-ErrorType': components['headers']['x-amzn-ErrorType'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      /** @description There is no such dog */
      readonly 404: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly 'X-Content-Type-Options': components['headers']['X-Content-Type-Options'];
          readonly 'Cache-Control': components['headers']['Cache-Control'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request was sent before, and is under way: it has an answer a little later */
      readonly 409: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly 'X-Content-Type-Options': components['headers']['X-Content-Type-Options'];
          readonly 'Cache-Control': components['headers']['Cache-Control'];
          readonly 'Retry-After': components['headers']['Retry-After'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      readonly 413: components['responses']['ContentTooLarge'];
      /** @description The body is not JSON by its type */
      readonly 415: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly 'X-Content-Type-Options': components['headers']['X-Content-Type-Options'];
          readonly 'Cache-Control': components['headers']['Cache-Control'];
          readonly 'Accept-Post': components['headers']['Accept-Post'];
          readonly 'x-amzn-ErrorType': components['headers']['x-amzn-ErrorType'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The body is not as it should be, each fault is named; or the key is another request’s */
      readonly 422: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly 'X-Content-Type-Options': components['headers']['X-Content-Type-Options'];
          readonly 'Cache-Control': components['headers']['Cache-Control'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      /** @description The mail was refused, and nothing was counted; or the service failed */
      readonly 502: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly 'X-Content-Type-Options': components['headers']['X-Content-Type-Options'];
          readonly 'Cache-Control': components['headers']['Cache-Control'];
          readonly 'x-amzn-ErrorType': components['headers']['x-amzn-ErrorType'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      readonly 503: components['responses']['ServiceUnavailable'];
      readonly 504: components['responses']['GatewayTimeout'];
    };
  };
  readonly DeleteLastBark: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        /**
         * @description The id of the dog
         * @example rex
         */
        readonly dog_id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Nothing has changed */
      readonly 204: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly 'X-Content-Type-Options': components['headers']['X-Content-Type-Options'];
          readonly 'Cache-Control': components['headers']['Cache-Control'];
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      /** @description There is no such dog */
      readonly 404: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly 'X-Content-Type-Options': components['headers']['X-Content-Type-Options'];
          readonly 'Cache-Control': components['headers']['Cache-Control'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 502: components['responses']['BadGateway'];
      readonly 503: components['responses']['ServiceUnavailable'];
      readonly 504: components['responses']['GatewayTimeout'];
    };
  };
  readonly GetLastBarkHead: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        /**
         * @description The id of the dog
         * @example rex
         */
        readonly dog_id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The last bark */
      readonly 200: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly 'X-Content-Type-Options': components['headers']['X-Content-Type-Options'];
          readonly 'Cache-Control': components['headers']['Cache-Control'];
          readonly Link: components['headers']['Record'];
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      /** @description There is no such dog, or it has not barked */
      readonly 404: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly 'X-Content-Type-Options': components['headers']['X-Content-Type-Options'];
          readonly 'Cache-Control': components['headers']['Cache-Control'];
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 502: components['responses']['BadGateway'];
      readonly 503: components['responses']['ServiceUnavailable'];
      readonly 504: components['responses']['GatewayTimeout'];
    };
  };
  readonly IssueToken: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        readonly 'application/x-www-form-urlencoded': components['schemas']['TokenRequest'];
        readonly 'application/json': components['schemas']['TokenRequest'];
      };
    };
    readonly responses: {
      /** @description An access token; call with it as `Authorization: Bearer` */
      readonly 200: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly 'X-Content-Type-Options': components['headers']['X-Content-Type-Options'];
          readonly 'Cache-Control': components['headers']['Cache-Control'];
          readonly Pragma: components['headers']['Pragma'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Token'];
        };
      };
      /** @description The request is wrong, or the refresh token */
      readonly 400: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly 'X-Content-Type-Options': components['headers']['X-Content-Type-Options'];
          readonly 'Cache-Control': components['headers']['Cache-Control'];
          readonly Pragma: components['headers']['Pragma'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['TokenError'];
        };
      };
      /** @description The client is unknown, or its secret is wrong */
      readonly 401: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly 'X-Content-Type-Options': components['headers']['X-Content-Type-Options'];
          readonly 'Cache-Control': components['headers']['Cache-Control'];
          readonly Pragma: components['headers']['Pragma'];
          readonly 'x-amzn-Remapped-WWW-Authenticate': components['headers']['x-amzn-Remapped-WWW-Authenticate'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['TokenError'];
        };
      };
      readonly 403: components['responses']['Forbidden'];
      /** @description The request is too large */
      readonly 413: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly 'X-Content-Type-Options': components['headers']['X-Content-Type-Options'];
          readonly 'Cache-Control': components['headers']['Cache-Control'];
          /** @description As RFC 6749 has it */
          readonly Pragma?: 'no-cache';
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['TokenError'];
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The body is neither a form nor JSON by its type */
      readonly 415: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly 'X-Content-Type-Options': components['headers']['X-Content-Type-Options'];
          readonly 'Cache-Control': components['headers']['Cache-Control'];
          readonly Pragma: components['headers']['Pragma'];
          readonly 'Accept-Post': components['headers']['Accept-Post'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['TokenError'];
        };
      };
      readonly 429: components['responses']['TooManyRequests'];
      /** @description The service failed */
      readonly 500: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly 'X-Content-Type-Options': components['headers']['X-Content-Type-Options'];
          readonly 'Cache-Control': components['headers']['Cache-Control'];
          /** @description As RFC 6749 has it */
          readonly Pragma?: 'no-cache';
          readonly 'x-amzn-ErrorType': components['headers']['x-amzn-ErrorType'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['TokenError'];
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      readonly 502: components['responses']['BadGateway'];
      /** @description A part that is needed is overloaded or out of reach */
      readonly 503: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly 'X-Content-Type-Options': components['headers']['X-Content-Type-Options'];
          readonly 'Cache-Control': components['headers']['Cache-Control'];
          /** @description As RFC 6749 has it */
          readonly Pragma?: 'no-cache';
          readonly 'Retry-After': components['headers']['Retry-After'];
          readonly 'x-amzn-ErrorType': components['headers']['x-amzn-ErrorType'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['TokenError'];
          readonly 'application/problem+json': components['schemas']['Problem'];
        };
      };
      readonly 504: components['responses']['GatewayTimeout'];
    };
  };
  readonly GetKeys: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The keys */
      readonly 200: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly 'X-Content-Type-Options': components['headers']['X-Content-Type-Options'];
          /** @description How long they may be kept */
          readonly 'Cache-Control': string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/jwk-set+json': components['schemas']['KeySet'];
        };
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 403: components['responses']['Forbidden'];
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 502: components['responses']['BadGateway'];
      readonly 503: components['responses']['ServiceUnavailable'];
      readonly 504: components['responses']['GatewayTimeout'];
    };
  };
  readonly GetKeysHead: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The keys */
      readonly 200: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly 'X-Content-Type-Options': components['headers']['X-Content-Type-Options'];
          /** @description How long they may be kept */
          readonly 'Cache-Control': string;
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 403: components['responses']['Forbidden'];
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 502: components['responses']['BadGateway'];
      readonly 503: components['responses']['ServiceUnavailable'];
      readonly 504: components['responses']['GatewayTimeout'];
    };
  };
  readonly GetConsole: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The page */
      readonly 200: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly 'X-Content-Type-Options': components['headers']['X-Content-Type-Options'];
          /** @description How long it may be kept */
          readonly 'Cache-Control': string;
          readonly 'Content-Security-Policy': components['headers']['Content-Security-Policy'];
          readonly 'Referrer-Policy': components['headers']['Referrer-Policy'];
          readonly Vary: components['headers']['Vary'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'text/html': string;
        };
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 403: components['responses']['Forbidden'];
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 502: components['responses']['BadGateway'];
      readonly 503: components['responses']['ServiceUnavailable'];
      readonly 504: components['responses']['GatewayTimeout'];
    };
  };
  readonly GetConsoleHead: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The page */
      readonly 200: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly 'X-Content-Type-Options': components['headers']['X-Content-Type-Options'];
          /** @description How long it may be kept */
          readonly 'Cache-Control': string;
          readonly 'Content-Security-Policy': components['headers']['Content-Security-Policy'];
          readonly 'Referrer-Policy': components['headers']['Referrer-Policy'];
          readonly Vary: components['headers']['Vary'];
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 403: components['responses']['Forbidden'];
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 502: components['responses']['BadGateway'];
      readonly 503: components['responses']['ServiceUnavailable'];
      readonly 504: components['responses']['GatewayTimeout'];
    };
  };
  readonly GetOpenApi: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The page */
      readonly 200: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly 'X-Content-Type-Options': components['headers']['X-Content-Type-Options'];
          /** @description How long it may be kept */
          readonly 'Cache-Control': string;
          readonly 'Content-Security-Policy': components['headers']['Content-Security-Policy'];
          readonly 'Referrer-Policy': components['headers']['Referrer-Policy'];
          readonly Vary: components['headers']['Vary'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            /** @constant */
            readonly openapi: '3.1.1';
            readonly info: Record<string, never>;
            readonly paths: Record<string, never>;
            readonly components: Record<string, never>;
          };
        };
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 403: components['responses']['Forbidden'];
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 502: components['responses']['BadGateway'];
      readonly 503: components['responses']['ServiceUnavailable'];
      readonly 504: components['responses']['GatewayTimeout'];
    };
  };
  readonly GetOpenApiHead: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The page */
      readonly 200: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly 'X-Content-Type-Options': components['headers']['X-Content-Type-Options'];
          /** @description How long it may be kept */
          readonly 'Cache-Control': string;
          readonly 'Content-Security-Policy': components['headers']['Content-Security-Policy'];
          readonly 'Referrer-Policy': components['headers']['Referrer-Policy'];
          readonly Vary: components['headers']['Vary'];
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 403: components['responses']['Forbidden'];
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 502: components['responses']['BadGateway'];
      readonly 503: components['responses']['ServiceUnavailable'];
      readonly 504: components['responses']['GatewayTimeout'];
    };
  };
  readonly GetDocs: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The page */
      readonly 200: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly 'X-Content-Type-Options': components['headers']['X-Content-Type-Options'];
          /** @description How long it may be kept */
          readonly 'Cache-Control': string;
          readonly 'Content-Security-Policy': components['headers']['Content-Security-Policy'];
          readonly 'Referrer-Policy': components['headers']['Referrer-Policy'];
          readonly Vary: components['headers']['Vary'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'text/html': string;
        };
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 403: components['responses']['Forbidden'];
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 502: components['responses']['BadGateway'];
      readonly 503: components['responses']['ServiceUnavailable'];
      readonly 504: components['responses']['GatewayTimeout'];
    };
  };
  readonly GetDocsHead: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The page */
      readonly 200: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly 'X-Content-Type-Options': components['headers']['X-Content-Type-Options'];
          /** @description How long it may be kept */
          readonly 'Cache-Control': string;
          readonly 'Content-Security-Policy': components['headers']['Content-Security-Policy'];
          readonly 'Referrer-Policy': components['headers']['Referrer-Policy'];
          readonly Vary: components['headers']['Vary'];
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 403: components['responses']['Forbidden'];
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 502: components['responses']['BadGateway'];
      readonly 503: components['responses']['ServiceUnavailable'];
      readonly 504: components['responses']['GatewayTimeout'];
    };
  };
}
