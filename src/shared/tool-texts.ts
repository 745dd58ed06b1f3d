import { errorCodes, type ErrorCode, type ErrorText } from './error-codes.ts'

/** Failures of what only the window and the command line can do. The proxy never answers with one of these codes. */
type OwnerCode = Extract<
  ErrorCode,
  | `${'account' | 'attachment' | 'conversation' | 'desktop' | 'drill' | 'folder' | 'library' | 'local-key' | 'profile' | 'prompt' | 'proof' | 'receipt' | 'sandbox' | 'studio' | 'topup' | 'update' | 'voice'}/${string}`
  | `privacy/consent-${string}`
  | 'privacy/not-chosen'
  | 'privacy/no-release-waiting'
  | 'privacy/measurement-unknown'
>

/**
 * The text for tools and the command line, in English only. It may name routes, headers, environment variables and options, but no part of the
 * window. A new code needs an entry unless it is an owner's; `same` if the person's text is right for a tool too.
 */
export const toolTexts: Readonly<Record<Exclude<ErrorCode, OwnerCode>, ErrorText | 'same'>> = {
  'proxy/key-missing': {
    says: 'The request has no local key of Sotto.',
    remedy: 'Send it as "Authorization: Bearer …", "x-api-key: …", or "api-key: …".',
  },
  'proxy/key-wrong': {
    says: 'The key in the request is not a valid local key of this Sotto.',
    remedy: 'Send the local key that Sotto shows. An API key of the service does not work here.',
  },
  'proxy/key-expired': {
    says: 'The local key has expired.',
    remedy: 'Send another local key, or extend the expiration date of this one in Sotto.',
  },
  'proxy/key-revoked': { says: 'The local key was revoked.', remedy: 'Send another local key.' },
  'proxy/key-ambiguous': {
    says: 'The request has two different local keys.',
    remedy: 'Send one of them, in Authorization, x-api-key, or api-key.',
  },
  'proxy/key-private-only': {
    says: 'The local key allows only private models, and the requested model is not private.',
    remedy: 'Use a model whose ID begins with "private/", or change the permissions of the key in Sotto.',
  },
  'proxy/key-relayed-only': {
    says: 'The local key allows only requests that the service cannot read. The service could read this one.',
    remedy:
      'Send a chat completion, use a model whose ID begins with "private/", or change the permissions of the key in Sotto.',
  },
  'proxy/key-model': {
    says: 'The local key does not allow this model.',
    remedy: 'Use a model that GET /v1/models lists, or change the permissions of the key in Sotto.',
  },
  'proxy/key-tokens': {
    says: 'The local key has reached its limit of tokens per minute.',
    remedy: 'Retry after the time in the Retry-After header, or raise the limit of the key in Sotto.',
  },
  'proxy/key-parallel': {
    says: 'The local key has reached its limit of parallel requests.',
    remedy: 'Retry after a running request has ended, or raise the limit of the key in Sotto.',
  },
  'proxy/key-rate': {
    says: 'The local key has reached its limit of requests per minute.',
    remedy: 'Retry after the time in the Retry-After header, or raise the limit of the key in Sotto.',
  },
  'proxy/key-grant': {
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
  'proxy/key-not-for-pages': {
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
  'proxy/reach-taken': {
    says: 'Sotto cannot listen on the requested network address. Another program is using it, or this computer does not have it.',
    remedy: 'Stop that program, or pass another address with --bind.',
  },
  'proxy/reach-refused': {
    says: 'Access to Sotto from other devices was not confirmed.',
    remedy: 'Start it again, and enter the code that it prints in Sotto within five minutes.',
  },
  'proxy/certificate': {
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

  'privacy/plugins': {
    says: 'Web search would send a private prompt unencrypted to a search engine.',
    remedy: 'Remove "plugins" or the tool "web_search", or use a model that is not private.',
  },
  'privacy/path': {
    says: 'Private models support chat only.',
    remedy: 'Use POST /v1/chat/completions, /v1/responses, or /v1/messages, or a model that is not private.',
  },
  'privacy/earlier-response': {
    says: 'The request continues a response that was sent more privately than this model allows. Nothing was sent.',
    remedy:
      'Use the model of the earlier response, or send a new conversation without "previous_response_id" and "item_reference".',
  },
  'privacy/revision': 'same',

  'document/not-offered': {
    says: 'This service does not convert documents.',
    remedy: 'Use a document that is text.',
  },
  'document/kind': {
    says: 'This file cannot be converted. Nothing was sent.',
    remedy: 'Pass a PDF, DOCX, PPTX, XLSX, or HTML file.',
  },
  'document/too-large': 'same',
  'document/fee-not-accepted': {
    says: 'The fee for converting the document was not accepted. Nothing was sent.',
    remedy: 'Accept it in the terminal, or pass --yes.',
  },
  'document/no-text': 'same',

  'relay/unverified': {
    says: 'The service’s own enclave failed verification. Nothing was sent.',
    remedy: 'Retry later, or use a private model. "sotto service-enclave verify" prints the failed check.',
  },
  'relay/unreachable': {
    says: 'Sotto could not fetch the evidence of the service’s own enclave. Nothing was sent.',
    remedy: 'Retry later, or use a private model.',
  },
  'relay/none': 'same',
  'relay/no-image-waiting': 'same',
  'relay/provenance-refused': 'same',
  'relay/too-large': 'same',

  'policy/none': 'same',
  'policy/no-provider-floor': 'same',
  'policy/pins-exclude-all': {
    says: 'The pins in Sotto exclude everything that the policy of this service accepts, so nothing can be sealed.',
    remedy: 'Remove pins in Sotto.',
  },

  'payment/not-available': 'same',
  'payment/unknown': { says: 'The payment was not found.', remedy: 'Check it in Sotto.' },
  'payment/invoice-invalid': 'same',
  'payment/wrong-network': {
    says: 'The invoice is for a different network than this service’s, so it was not paid.',
    remedy: 'Check which service Sotto uses.',
  },
  'payment/no-amount': 'same',
  'payment/wrong-amount': 'same',
  'payment/wrong-hash': 'same',
  'payment/wrong-digest': 'same',
  'payment/above-listing': {
    says: 'The invoice is for more than the listed price, so it was not paid.',
    remedy: 'Compare the prices that GET /v1/models lists, and retry later.',
  },
  'payment/expired': {
    says: 'The invoice has expired or is about to. It was not paid.',
    remedy: 'Retry to get a new one.',
  },
  'payment/over-limit': {
    says: 'The payment is above a spending limit in Sotto. Nothing was paid.',
    remedy: 'Raise the limit in Sotto, or wait until the daily limit resets.',
  },
  'payment/already-paid': {
    says: 'This invoice was already paid, or may have been. It will not be paid again.',
    remedy: 'Check the payment in Sotto, which can retry the delivery of a paid purchase.',
  },
  'payment/under-way': {
    says: 'The payment is in progress and cannot be canceled.',
    remedy: 'Wait until the wallet reports the outcome. Nothing is paid twice.',
  },
  'payment/unresolved': {
    says: 'The wallet has not reported yet whether it paid. Sotto checks again and does not pay twice.',
    remedy: 'Check the payment in Sotto. Do not retry the request before its outcome is known.',
  },
  'payment/refused': {
    says: 'The payment was not confirmed. Nothing was paid.',
    remedy: 'Retry, and confirm the payment when Sotto asks.',
  },
  'payment/needs-person': {
    says: 'A person must confirm this payment in Sotto first. Nothing was paid.',
    remedy: 'Buy something from this service once in Sotto, or raise its limit for paying without asking.',
  },
  'payment/paused': {
    says: 'Sotto paused automatic payments after repeated failures. Nothing was paid.',
    remedy: 'Review recent payments in Sotto, and resume automatic payments there.',
  },
  'payment/preimage': {
    says: 'The preimage does not prove that the invoice was paid.',
    remedy: 'Send the preimage of this invoice from the wallet that paid it.',
  },
  'payment/undelivered': {
    says: 'The payment succeeded, but the service did not deliver. The proof of payment is saved.',
    remedy:
      'Retry the delivery in Sotto, which does not pay again. If that fails, make a claim with the proof.',
  },
  'payment/credential-refused': {
    says: 'The payment succeeded, but the service rejected the proof of payment. The proof is saved.',
    remedy: 'Retry the delivery in Sotto, or make a claim at the service with the proof.',
  },
  'payment/not-undelivered': {
    says: 'Only a payment with an unknown outcome, or one that wasn’t delivered, can be ended.',
    remedy: 'Check the purchase in Sotto.',
  },
  'payment/given-up': 'same',
  'payment/closed': {
    says: 'A person closed this payment. Whether it was paid is not known.',
    remedy: 'Check the wallet before you pay again.',
  },
  'payment/not-delivered': {
    says: 'Nothing has been delivered for this payment yet.',
    remedy: 'Wait for the delivery, or retry it in Sotto.',
  },

  'wallet/none': {
    says: 'No Lightning wallet is connected. Nothing was paid.',
    remedy: 'Connect one in Sotto.',
  },
  'wallet/connection-invalid': 'same',
  'wallet/unreachable': 'same',
  'wallet/cannot-pay': 'same',
  'wallet/encryption': 'same',
  'wallet/insufficient-balance': 'same',
  'wallet/quota': 'same',
  'wallet/refused': 'same',
  'wallet/rate-limited': 'same',
  'wallet/payment-failed': 'same',
  'wallet/in-use': 'same',
  'wallet/same-connection': 'same',

  'budget/exceeded': {
    says: 'The budget of the local key does not cover the possible cost of the request. Nothing was sent.',
    remedy: 'Request fewer tokens, or raise the budget of the key in Sotto.',
  },
  'budget/price-unknown': {
    says: 'The local key has a budget, and the maximum cost of the request is unknown. Nothing was sent.',
    remedy:
      'Add "max_completion_tokens", use a model with a listed price, or allow the key to make requests of unknown price.',
  },

  'attestation/failed': {
    says: 'The enclave failed verification. Nothing was sent.',
    remedy: 'Check which step failed in Sotto. Do not send confidential text to a public model instead.',
  },
  'attestation/unreachable': {
    says: 'The evidence of the enclave could not be fetched. Nothing was sent.',
    remedy: 'Check the network connection and retry.',
  },
  'attestation/evidence-too-large': 'same',
  'attestation/older-release': {
    says: 'The enclave runs an older release than one accepted before. Nothing was sent.',
    remedy: 'Wait for the current release, or accept the older one in Sotto.',
  },
  'attestation/not-yet-trusted': {
    says: 'The enclave runs a release that was not approved, and Sotto is set to require approval. Nothing was sent.',
    remedy: 'Review and approve the release in Sotto, then retry.',
  },

  'channel/crypto-unavailable': 'same',
  'channel/plaintext-response': 'same',
  'channel/key-rotated': 'same',
  'channel/tls-key-differs': 'same',
  'channel/response-invalid': 'same',
  'channel/response-truncated': {
    says: 'The reply of the enclave was cut off in transit.',
    remedy: 'Retry to get a complete one.',
  },

  'service/unreachable': {
    says: 'The service cannot be reached.',
    remedy: 'Check the network connection and retry.',
  },
  'service/interrupted': { says: 'The reply stopped early.', remedy: 'Retry to get a complete one.' },
  'service/stalled': { says: 'The service stopped responding.', remedy: 'Retry.' },
  'service/no-account': {
    says: 'No account at the service is connected.',
    remedy: 'Connect or create an account in Sotto.',
  },
  'service/no-api-key': {
    says: 'This requires an API key, but the account has only its credit ID.',
    remedy: 'Create an API key in Sotto, and connect the account with it.',
  },
  'service/key-refused': {
    says: 'The service rejected the API key of the account. The local key is valid.',
    remedy: 'Reconnect the account in Sotto.',
  },
  'service/key-revoked': {
    says: 'The API key of the account was revoked.',
    remedy: 'Connect the account in Sotto with another of its API keys.',
  },
  'service/key-expired': {
    says: 'The API key of the account has expired.',
    remedy:
      'Connect the account in Sotto with another of its API keys, or extend the expiration date of this key.',
  },
  'service/no-credit-id': {
    says: 'This requires the credit ID of the account, but only an API key is connected.',
    remedy: 'Connect the account in Sotto with its credit ID too.',
  },
  'service/spending-cap': 'same',
  'service/balance': 'same',
  'service/payment-required': {
    says: 'The service requires payment for this request.',
    remedy: 'Connect an account with a balance in Sotto.',
  },
  'service/challenge-invalid': {
    says: 'The payment request of the service cannot be read, so it was not paid.',
    remedy: 'Connect an account in Sotto to pay from its balance.',
  },
  'service/rate-limited': {
    says: 'The service received too many requests.',
    remedy: 'Retry after the time in the Retry-After header.',
  },
  'service/rejected': 'same',
  'service/not-found': 'same',
  'service/not-offered': {
    says: 'This service does not support this.',
    remedy: 'Remove it, or use another service.',
  },
  'service/media-gone': 'same',
  'service/foreign-address': 'same',
  'service/down': 'same',
  'service/failed': 'same',
  'service/response-invalid': 'same',

  'request/invalid': {
    says: 'The request is not in a format that the service accepts. Nothing was sent.',
    remedy: 'Correct it and retry.',
  },
  'request/locked': {
    says: 'Sotto was locked before this request finished.',
    remedy: 'Unlock Sotto and retry.',
  },
  'request/cancelled': { says: 'The request was stopped.', remedy: 'Send it again if you want the reply.' },

  'vault/locked': { says: 'Sotto is locked.', remedy: 'Unlock Sotto or the system keychain, then retry.' },
  'vault/cannot-lock': 'same',
  'vault/wrong-passphrase': 'same',
  'vault/damaged': 'same',
  'vault/unavailable': {
    says: 'The requested vault does not work on this computer.',
    remedy: 'Set SOTTO_VAULT to one of "auto", "file", or "memory".',
  },
  'vault/keychain-unusable': 'same',
  'vault/recovery-invalid': 'same',
  'vault/recovery-passphrase': 'same',
  'vault/passphrase-needed': {
    says: 'A passphrase must be set before anything can be saved.',
    remedy: 'Set one in Sotto.',
  },

  'store/damaged': {
    says: 'The data folder cannot be read. It was not changed.',
    remedy: 'Restore it from a backup, or set SOTTO_DATA_DIR to another folder.',
  },
  'store/unwritable': 'same',
  'store/schema-changed': {
    says: 'Another program changed the structure of the database. Sotto left it unchanged.',
    remedy: 'Restore the data folder from a backup, or set SOTTO_DATA_DIR to another folder.',
  },
  'store/rows-changed': {
    says: 'Saved records were changed outside Sotto. Private chats, local keys, and payments are off until a person accepts the records.',
    remedy: 'Check in Sotto which records changed, and accept them.',
  },
  'store/newer': 'same',

  'host/owned': {
    says: 'Another instance of Sotto is using this data folder.',
    remedy: 'Run "sotto open", or stop the other instance.',
  },
  'host/folder-foreign-owner': {
    says: 'The data folder or a part of its path belongs to another user.',
    remedy: 'Run Sotto as the owner of the folder, or set SOTTO_DATA_DIR to a folder of your own.',
  },
  'host/folder-writable-by-others': {
    says: 'Other users can replace the data folder.',
    remedy: 'You can also set SOTTO_DATA_DIR to a path that only you and root can change.',
  },
  'host/folder-not-private': {
    says: 'Other users have access to the data folder.',
    remedy:
      'You can also set SOTTO_DATA_DIR to a folder for Sotto only, on a file system that keeps Unix modes.',
  },
  'host/folder-irregular-file': 'same',
  'host/socket-unsafe': 'same',
  'host/socket-path-too-long': {
    says: 'The path of the data folder is too long for Sotto’s socket. There is no other private folder for it.',
    remedy:
      'Set SOTTO_DATA_DIR to a shorter path, or XDG_RUNTIME_DIR to a folder of mode 700 that belongs to you.',
  },
  'host/proxy-address': {
    says: 'HTTPS_PROXY or ALL_PROXY is not a valid proxy address. Sotto sends nothing without the proxy.',
    remedy:
      'Set it to an address such as http://proxy.example:3128 or socks5h://127.0.0.1:9050, or remove it.',
  },

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

  'verify/argument': {
    says: 'The arguments of the command are not valid.',
    remedy: 'See "sotto verify --help".',
  },

  'release/file-unreadable': 'same',
  'release/bundle-missing': {
    says: 'There is no attestation next to the file.',
    remedy: 'Download the file’s ".sigstore.json" from the same release too, or specify it with --bundle.',
  },
  'release/bundle-unreadable': 'same',
  'release/identity-unknown': 'same',
  'release/other-tag': 'same',
}

/** The text for readers outside the window. */
export function toolTextOf(code: ErrorCode): ErrorText {
  const text = hasToolText(code) ? toolTexts[code] : 'same'
  return text === 'same' ? errorCodes[code] : text
}

export function hasToolText(code: ErrorCode): code is keyof typeof toolTexts {
  return Object.hasOwn(toolTexts, code)
}
