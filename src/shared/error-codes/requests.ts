import type { ErrorEntry } from './error-entry.ts'

/** Requests of tools at the proxy. */
export const requestErrors = {
  'auth/missing-api-key': {
    status: 401,
    says: 'The request has no local key.',
    remedy: 'Copy the tool’s local key from the Developer screen in Sotto, and set it in the tool.',
  },
  'auth/invalid-api-key': {
    status: 401,
    says: 'This local key isn’t valid for this Sotto.',
    remedy: 'Copy the local key from the Developer screen in Sotto. The service’s API key doesn’t work here.',
  },
  'auth/expired-api-key': {
    status: 401,
    says: 'This local key has expired.',
    remedy: 'Create a new one on the Developer screen in Sotto, or extend this one’s expiration date.',
  },
  'auth/revoked-api-key': {
    status: 401,
    says: 'This local key was revoked.',
    remedy: 'Create a new one for this tool on the Developer screen in Sotto.',
  },
  'auth/ambiguous-api-key': {
    status: 401,
    says: 'The tool sent two different local keys.',
    remedy: 'Set only one of them in the tool.',
  },
  'auth/private-only': {
    status: 403,
    says: 'This local key allows only private models, and the selected model isn’t private.',
    remedy: 'Choose a private model, or change the key’s permissions on the Developer screen in Sotto.',
  },
  'auth/model-not-allowed': {
    status: 403,
    says: 'This local key doesn’t allow this model.',
    remedy: 'Choose another model, or change the key’s permissions on the Developer screen in Sotto.',
  },
  'limit/requests': {
    status: 429,
    says: 'This local key has reached its limit of requests per minute.',
    remedy: 'Wait a minute, or raise the key’s limit on the Developer screen in Sotto.',
  },
  'limit/tokens': {
    status: 429,
    says: 'This local key has reached its limit of tokens per minute.',
    remedy: 'Wait a minute, or raise the key’s limit on the Developer screen in Sotto.',
  },
  'limit/concurrency': {
    status: 429,
    says: 'This local key has reached its limit of parallel requests.',
    remedy: 'Wait until a request ends, or raise the key’s limit on the Developer screen in Sotto.',
  },
  'auth/insufficient-scope': {
    status: 403,
    says: 'This local key doesn’t have permission to do this.',
    remedy: 'Grant the permission on the Developer screen in Sotto, or use a key that has it.',
  },
  'proxy/account-path': {
    status: 403,
    says: 'Tools can’t manage the account, its API keys, or its money.',
    remedy: 'Do this in Sotto itself.',
  },
  'proxy/host-forbidden': {
    status: 403,
    says: 'The request’s host name isn’t accepted at this address.',
    remedy: 'Use the base URL shown on the Developer screen in Sotto.',
  },
  'proxy/origin-forbidden': {
    status: 403,
    says: 'Web pages can’t use this address.',
    remedy: 'Call it from a program on this computer, not from a web page.',
  },
  'auth/key-not-for-pages': {
    status: 403,
    says: 'This is the first local key, which is reserved for programs. Web pages can’t use it.',
    remedy: 'Create a key with a budget for this page on the Developer screen in Sotto.',
  },
  'proxy/content-type': {
    status: 415,
    says: 'The tool sent its request in a format that Sotto doesn’t accept there.',
    remedy: 'Check the tool’s settings or update the tool.',
  },
  'proxy/content-encoding': {
    status: 415,
    says: 'The tool sent a compressed request that Sotto can’t read.',
    remedy: 'Turn off compression of requests in the tool.',
  },
  'proxy/charset': {
    status: 415,
    says: 'The tool sent text that isn’t UTF-8.',
    remedy: 'Check the tool’s settings or update the tool.',
  },
  'proxy/malformed-json': {
    status: 400,
    says: 'The tool sent a request that isn’t valid JSON.',
    remedy: 'Check the tool’s settings or update the tool.',
  },
  'proxy/duplicate-member': {
    status: 400,
    says: 'The tool’s request has a duplicate field, so it’s ambiguous.',
    remedy: 'Check the tool’s settings or update the tool.',
  },
  'proxy/malformed-form': {
    status: 400,
    says: 'The tool sent a form that is invalid or ambiguous.',
    remedy: 'Check the tool’s settings or update the tool.',
  },
  'auth/relayed-only': {
    status: 403,
    says: 'This local key allows only requests that the service can’t read, and this one would be visible to the service.',
    remedy:
      'Send a chat message, choose a private model, or change the key’s permissions on the Developer screen in Sotto.',
  },
  'proxy/file-too-large': {
    status: 413,
    says: 'A file in the request is larger than 25 MB.',
    remedy: 'Send a smaller file, or split it.',
  },
  'proxy/model-missing': {
    status: 400,
    says: 'The request doesn’t specify a model.',
    remedy: 'Choose a model, and try again.',
  },
  'proxy/invalid-request': {
    status: 400,
    says: 'The request isn’t in the expected format.',
    remedy: 'Check what you entered, or the tool’s settings, and try again.',
  },
  'response/unknown': {
    status: 404,
    type: 'invalid_request_error',
    says: 'Sotto doesn’t have this response.',
    remedy: 'Send the request again. Sotto stores responses for one hour, in memory.',
  },
  'response/previous-unknown': {
    status: 400,
    says: 'Sotto doesn’t have the previous response of this request. Nothing was sent.',
    remedy: 'Send the whole conversation. Sotto stores responses for one hour, in memory.',
  },
  'response/not-running': {
    status: 400,
    says: 'This response has ended, so it can’t be canceled.',
    remedy: 'No action is needed.',
  },
  'dialect/unsupported': {
    status: 400,
    says: 'The tool asks for a feature that Sotto can’t provide. Nothing was sent.',
    remedy: 'Turn off that feature in the tool.',
  },
  'proxy/path-unknown': {
    status: 404,
    says: 'Sotto doesn’t support the requested endpoint.',
    remedy: 'Choose another endpoint, or check the base URL in the tool’s settings.',
  },
  'proxy/path-malformed': {
    status: 400,
    says: 'The address that the tool called is ambiguous.',
    remedy: 'Check the base URL in the tool’s settings.',
  },
  'proxy/body-too-large': {
    status: 413,
    says: 'The request is larger than 64 MiB.',
    remedy: 'Send less at once: fewer or smaller attachments.',
  },
  'proxy/busy': {
    status: 503,
    says: 'Sotto is processing too many large requests at once.',
    remedy: 'Try again in a moment.',
  },
  'proxy/port-taken': {
    status: 500,
    says: 'Another program is using Sotto’s port.',
    remedy: 'Quit that program, and start Sotto again.',
  },
  'remote-access/address-in-use': {
    status: 500,
    says: 'Sotto can’t use the requested network address. Another program is using it, or this computer doesn’t have it.',
    remedy: 'Quit that program, or choose another address.',
  },
  'remote-access/not-confirmed': {
    status: 403,
    says: 'Access to Sotto from other devices wasn’t confirmed.',
    remedy: 'Start it again. Within five minutes, enter the code from its output in the window.',
  },
  'remote-access/certificate': {
    status: 500,
    says: 'The certificate and its key can’t be used.',
    remedy: 'Use a certificate and key that match and are PEM files. Or let Sotto create its own.',
  },
  'proxy/internal': {
    status: 500,
    says: 'Something unexpected went wrong in Sotto.',
    remedy: 'Try again. If it happens again, report it with the time of the request.',
  },
  'model/unknown': {
    status: 404,
    says: 'The service doesn’t list this model.',
    remedy: 'Choose a model from the list.',
  },
  'request/invalid': {
    status: 400,
    says: 'The request isn’t in a format that the service accepts. Nothing was sent.',
    remedy: 'Check what you entered, and try again.',
  },
  'request/locked': {
    status: 503,
    says: 'Sotto was locked before this request finished.',
    remedy: 'Unlock Sotto and try again.',
  },
  'request/canceled': {
    status: 499,
    says: 'The request was stopped.',
    remedy: 'Send it again if you want the reply.',
  },
} as const satisfies Record<string, ErrorEntry>
