import type { ErrorCode } from '../error-codes.ts'
import type { ToolText } from '../error-codes/error-entry.ts'

/** The texts for tools about requests at the proxy. */
export const requestTexts = {
  'database/address': 'same',
  'database/unreachable': 'same',
  'database/refused': 'same',
  'database/failed': 'same',
  'database/damaged': 'same',
  'database/newer-version': 'same',
  'database/older-replicas': 'same',
  'auth/missing-api-key': {
    says: 'The request has no local key of Sotto.',
    remedy: 'Send it as "Authorization: Bearer …", "x-api-key: …", or "api-key: …".',
  },
  'auth/invalid-api-key': {
    says: 'The key in the request is not a valid local key of this Sotto.',
    remedy: 'Send the local key that Sotto shows. An API key of the service does not work here.',
  },
  'auth/expired-api-key': {
    says: 'The local key has expired.',
    remedy: 'Send another local key, or extend the expiration date of this one in Sotto.',
  },
  'auth/revoked-api-key': { says: 'The local key was revoked.', remedy: 'Send another local key.' },
  'auth/ambiguous-api-key': {
    says: 'The request has two different local keys.',
    remedy: 'Send one of them, in Authorization, x-api-key, or api-key.',
  },
  'auth/private-only': {
    says: 'The local key allows only private models, and the requested model is not private.',
    remedy: 'Use a model whose ID begins with "private/", or change the permissions of the key in Sotto.',
  },
  'auth/relayed-only': {
    says: 'The local key allows only requests that the service cannot read. The service could read this one.',
    remedy:
      'Send a chat completion, use a model whose ID begins with "private/", or change the permissions of the key in Sotto.',
  },
  'auth/model-not-allowed': {
    says: 'The local key does not allow this model.',
    remedy: 'Use a model that GET /v1/models lists, or change the permissions of the key in Sotto.',
  },
  'limit/tokens': {
    says: 'The local key has reached its limit of tokens per minute.',
    remedy: 'Retry after the time in the Retry-After header, or raise the limit of the key in Sotto.',
  },
  'limit/concurrency': {
    says: 'The local key has reached its limit of parallel requests.',
    remedy: 'Retry after a running request has ended, or raise the limit of the key in Sotto.',
  },
  'limit/requests': {
    says: 'The local key has reached its limit of requests per minute.',
    remedy: 'Retry after the time in the Retry-After header, or raise the limit of the key in Sotto.',
  },
  'auth/insufficient-scope': {
    says: 'The local key does not have the permission for this request.',
    remedy: 'Add the permission to the key in Sotto, or send a key that has it.',
  },
  'proxy/account-path': {
    says: 'Tools cannot manage the account, its API keys, or its money.',
    remedy: 'Do this in Sotto itself.',
  },
  'proxy/host-forbidden': {
    says: 'This address does not accept the host name in the Host header.',
    remedy:
      'Use the base URL that Sotto shows, with 127.0.0.1 or localhost. Sotto accepts other names with --allow-host.',
  },
  'proxy/origin-forbidden': {
    says: 'The origin of this web page or web view is not allowed.',
    remedy: 'Allow the origin for a local key in Sotto, or call Sotto from a program on this computer.',
  },
  'auth/key-not-for-pages': {
    says: 'This is the first local key, which is reserved for programs. Web pages cannot use it.',
    remedy: 'Send another local key that has a budget.',
  },
  'proxy/content-type': {
    says: 'This path does not support the Content-Type of the request.',
    remedy: 'Send "Content-Type: application/json", or "multipart/form-data" if the request includes a file.',
  },
  'proxy/content-encoding': {
    says: 'The body cannot be decoded by its Content-Encoding.',
    remedy: 'Send one coding that the Accept-Encoding header lists, or no Content-Encoding header.',
  },
  'proxy/charset': {
    says: 'The body is not in UTF-8.',
    remedy: 'Send it in UTF-8, with "charset=utf-8" or without a charset.',
  },
  'proxy/malformed-json': { says: 'The body is not valid JSON.', remedy: 'Send one JSON object in UTF-8.' },
  'proxy/duplicate-member': {
    says: 'The body has a duplicate member, so it is ambiguous.',
    remedy: 'Send each member once.',
  },
  'proxy/malformed-form': {
    says: 'The form in the body is invalid or ambiguous.',
    remedy:
      'Send multipart/form-data with each field once, and name the files as in the OpenAI API reference.',
  },
  'proxy/file-too-large': 'same',
  'proxy/model-missing': {
    says: 'The request does not specify a model.',
    remedy: 'Add a "model" from GET /v1/models.',
  },
  'proxy/invalid-request': {
    says: 'The request is not in the expected format.',
    remedy: 'Compare it with the API reference.',
  },
  'response/unknown': {
    says: 'Sotto does not have this response or item for this local key.',
    remedy:
      'Sotto stores responses in memory for one hour, unless "store" is false. Send the items themselves.',
  },
  'response/previous-unknown': {
    says: 'Sotto does not have the previous response for this local key. Nothing was sent.',
    remedy:
      'Sotto stores responses in memory for one hour, unless "store" is false. Send the whole conversation in "input".',
  },
  'response/not-running': {
    says: 'The response has ended, so it cannot be canceled.',
    remedy: 'GET /v1/responses/{id} returns it.',
  },
  'dialect/unsupported': {
    says: 'The request uses something that cannot be converted to chat completions. Nothing was sent.',
    remedy: 'Remove it or change it.',
  },
  'proxy/path-unknown': { says: 'Sotto does not serve this path.', remedy: 'Use a path that Sotto serves.' },
  'proxy/path-malformed': {
    says: 'The path of the request is ambiguous.',
    remedy: 'Remove dot segments, backslashes, and encoded separators.',
  },
  'proxy/body-too-large': {
    says: 'The body is larger than 64 MiB.',
    remedy: 'Send fewer or smaller attachments.',
  },
  'proxy/busy': {
    says: 'Sotto is reading as many large requests as its memory limit allows.',
    remedy: 'Retry after the time in the Retry-After header, or raise SOTTO_MAX_BODY_MEMORY.',
  },
  'proxy/port-taken': {
    says: 'Another program is using the requested port.',
    remedy: 'Stop that program, or set SOTTO_PORT to another port.',
  },
  'remote-access/address-in-use': {
    says: 'Sotto cannot listen on the requested network address. Another program is using it, or this computer does not have it.',
    remedy: 'Stop that program, or pass another address with --bind.',
  },
  'remote-access/not-confirmed': {
    says: 'Access to Sotto from other devices was not confirmed.',
    remedy: 'Start it again, and enter the code that it prints in Sotto within five minutes.',
  },
  'remote-access/certificate': {
    says: 'The certificate and its key cannot be used.',
    remedy:
      'Pass matching PEM files with --tls-cert and --tls-key. Omit both to use a certificate that Sotto creates.',
  },
  'proxy/internal': {
    says: 'Something unexpected went wrong in Sotto.',
    remedy: 'Retry. If it happens again, report it with the time of the request.',
  },
  'model/unknown': {
    says: 'The service does not list this model.',
    remedy: 'Use a model that GET /v1/models lists.',
  },
  'budget/exceeded': {
    says: 'The budget of the local key does not cover the possible cost of the request. Nothing was sent.',
    remedy: 'Request fewer tokens, or raise the budget of the key in Sotto.',
  },
  'budget/price-unknown': {
    says: 'The local key has a budget, and the maximum cost of the request is unknown. Nothing was sent.',
    remedy:
      'Add "max_completion_tokens", use a model with a listed price, or allow the key to make requests of unknown price.',
  },
  'budget/member-exceeded': 'same',
  'budget/group-exceeded': 'same',
  'budget/team-price-unknown': 'same',
  'request/invalid': {
    says: 'The request is not in a format that the service accepts. Nothing was sent.',
    remedy: 'Correct it and retry.',
  },
  'tools/no-window': {
    says: 'The local key has server tools, and this Sotto cannot ask a person for consent. Nothing was sent.',
    remedy: 'Use a local key without server tools.',
  },
  'tools/name-reserved': {
    says: 'A tool of the request has the name of a server tool of the local key. Nothing was sent.',
    remedy: 'Rename the tool. Names that begin with "sotto_" can be reserved.',
  },
  'tools/loop-limit': {
    says: 'The model called server tools too many times for one answer.',
    remedy: 'Send a narrower question.',
  },
  'tools/spending-limit': {
    says: 'The requests of this answer reached the spending limit for one answer with server tools.',
    remedy: 'Send a narrower question, or use a less expensive model.',
  },
  'project/private-only': {
    says: 'The content of a private-only project can go only to private models. Nothing was sent.',
    remedy: 'Use a private model.',
  },
  'request/locked': {
    says: 'Sotto was locked before this request finished.',
    remedy: 'Unlock Sotto and retry.',
  },
  'request/canceled': { says: 'The request was stopped.', remedy: 'Send it again if you want the reply.' },
  'confirm/refused': {
    says: 'The action was not confirmed.',
    remedy: 'Retry, and confirm it when Sotto asks.',
  },
  'confirm/too-many': 'same',
  'confirm/too-soon': 'same',
  'confirm/no-terminal': {
    says: 'Sotto has no terminal to show the confirmation code in, because its log goes to standard error.',
    remedy: 'Run Sotto in a terminal, or set SOTTO_LOG_TO to "file".',
  },
} as const satisfies Partial<Record<ErrorCode, ToolText>>
