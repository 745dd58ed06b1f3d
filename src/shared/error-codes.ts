/** A text for one audience: what happened, and what to do. */
export interface ErrorText {
  readonly says: string
  readonly remedy: string
}

/**
 * Every coded failure of Sotto except a failed verification: the HTTP status that the proxy answers with, the OpenAI error type, and the text
 * for a person in the window. Tools and the command line get the text of tool-texts.ts. Codes are stable; sentences may be improved.
 */
interface ErrorEntry extends ErrorText {
  readonly status: number
  readonly type:
    | 'invalid_request_error'
    | 'authentication_error'
    | 'permission_error'
    | 'not_found_error'
    | 'rate_limit_error'
    | 'insufficient_quota'
    | 'api_error'
}

export const errorCodes = {
  // Callers of the proxy
  'proxy/key-missing': {
    status: 401,
    type: 'authentication_error',
    says: 'The request has no local key.',
    remedy: 'Copy the tool’s local key from the Local API screen in Sotto, and set it in the tool.',
  },
  'proxy/key-wrong': {
    status: 401,
    type: 'authentication_error',
    says: 'This local key isn’t valid for this Sotto.',
    remedy: 'Copy the local key from the Local API screen in Sotto. The service’s API key doesn’t work here.',
  },
  'proxy/key-expired': {
    status: 401,
    type: 'authentication_error',
    says: 'This local key has expired.',
    remedy: 'Create a new one on the Local API screen in Sotto, or extend this one’s expiration date.',
  },
  'proxy/key-revoked': {
    status: 401,
    type: 'authentication_error',
    says: 'This local key was revoked.',
    remedy: 'Create a new one for this tool on the Local API screen in Sotto.',
  },
  'proxy/key-ambiguous': {
    status: 401,
    type: 'authentication_error',
    says: 'The tool sent two different local keys.',
    remedy: 'Set only one of them in the tool.',
  },
  'proxy/key-private-only': {
    status: 403,
    type: 'permission_error',
    says: 'This local key allows only private models, and the selected model isn’t private.',
    remedy: 'Choose a private model, or change the key’s permissions on the Local API screen in Sotto.',
  },
  'proxy/key-model': {
    status: 403,
    type: 'permission_error',
    says: 'This local key doesn’t allow this model.',
    remedy: 'Choose another model, or change the key’s permissions on the Local API screen in Sotto.',
  },
  'proxy/key-rate': {
    status: 429,
    type: 'rate_limit_error',
    says: 'This local key has reached its limit of requests per minute.',
    remedy: 'Wait a minute, or raise the key’s limit on the Local API screen in Sotto.',
  },
  'proxy/key-tokens': {
    status: 429,
    type: 'rate_limit_error',
    says: 'This local key has reached its limit of tokens per minute.',
    remedy: 'Wait a minute, or raise the key’s limit on the Local API screen in Sotto.',
  },
  'proxy/key-parallel': {
    status: 429,
    type: 'rate_limit_error',
    says: 'This local key has reached its limit of parallel requests.',
    remedy: 'Wait until a request ends, or raise the key’s limit on the Local API screen in Sotto.',
  },
  'proxy/key-grant': {
    status: 403,
    type: 'permission_error',
    says: 'This local key doesn’t have permission to do this.',
    remedy: 'Grant the permission on the Local API screen in Sotto, or use a key that has it.',
  },
  'proxy/account-path': {
    status: 403,
    type: 'permission_error',
    says: 'Tools can’t manage the account, its API keys, or its money.',
    remedy: 'Do this in Sotto itself.',
  },
  'proxy/host-forbidden': {
    status: 403,
    type: 'permission_error',
    says: 'The request’s host name isn’t accepted at this address.',
    remedy: 'Use the base URL shown on the Local API screen in Sotto.',
  },
  'proxy/origin-forbidden': {
    status: 403,
    type: 'permission_error',
    says: 'Web pages can’t use this address.',
    remedy: 'Call it from a program on this computer, not from a web page.',
  },
  'proxy/key-not-for-pages': {
    status: 403,
    type: 'permission_error',
    says: 'This is the first local key, which is reserved for programs. Web pages can’t use it.',
    remedy: 'Create a key with a budget for this page on the Local API screen in Sotto.',
  },
  'proxy/content-type': {
    status: 415,
    type: 'invalid_request_error',
    says: 'The tool sent its request in a format that Sotto doesn’t accept there.',
    remedy: 'Check the tool’s settings or update the tool.',
  },
  'proxy/content-encoding': {
    status: 415,
    type: 'invalid_request_error',
    says: 'The tool sent a compressed request that Sotto can’t read.',
    remedy: 'Turn off compression of requests in the tool.',
  },
  'proxy/charset': {
    status: 415,
    type: 'invalid_request_error',
    says: 'The tool sent text that isn’t UTF-8.',
    remedy: 'Check the tool’s settings or update the tool.',
  },
  'proxy/malformed-json': {
    status: 400,
    type: 'invalid_request_error',
    says: 'The tool sent a request that isn’t valid JSON.',
    remedy: 'Check the tool’s settings or update the tool.',
  },
  'proxy/duplicate-member': {
    status: 400,
    type: 'invalid_request_error',
    says: 'The tool’s request has a duplicate field, so it’s ambiguous.',
    remedy: 'Check the tool’s settings or update the tool.',
  },
  'proxy/malformed-form': {
    status: 400,
    type: 'invalid_request_error',
    says: 'The tool sent a form that is invalid or ambiguous.',
    remedy: 'Check the tool’s settings or update the tool.',
  },
  'proxy/key-relayed-only': {
    status: 403,
    type: 'permission_error',
    says: 'This local key allows only requests that the service can’t read, and this one would be visible to the service.',
    remedy:
      'Send a chat message, choose a private model, or change the key’s permissions on the Local API screen in Sotto.',
  },
  'proxy/file-too-large': {
    status: 413,
    type: 'invalid_request_error',
    says: 'A file in the request is larger than 25 MB.',
    remedy: 'Send a smaller file, or split it.',
  },
  'proxy/model-missing': {
    status: 400,
    type: 'invalid_request_error',
    says: 'The request doesn’t specify a model.',
    remedy: 'Choose a model, and try again.',
  },
  'proxy/invalid-request': {
    status: 400,
    type: 'invalid_request_error',
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
    type: 'invalid_request_error',
    says: 'Sotto doesn’t have the previous response of this request. Nothing was sent.',
    remedy: 'Send the whole conversation. Sotto stores responses for one hour, in memory.',
  },
  'response/not-running': {
    status: 400,
    type: 'invalid_request_error',
    says: 'This response has ended, so it can’t be canceled.',
    remedy: 'No action is needed.',
  },
  'dialect/unsupported': {
    status: 400,
    type: 'invalid_request_error',
    says: 'The tool asks for a feature that Sotto can’t provide. Nothing was sent.',
    remedy: 'Turn off that feature in the tool.',
  },
  'proxy/path-unknown': {
    status: 404,
    type: 'not_found_error',
    says: 'Sotto doesn’t support the requested endpoint.',
    remedy: 'Choose another endpoint, or check the base URL in the tool’s settings.',
  },
  'proxy/path-malformed': {
    status: 400,
    type: 'invalid_request_error',
    says: 'The address that the tool called is ambiguous.',
    remedy: 'Check the base URL in the tool’s settings.',
  },
  'proxy/body-too-large': {
    status: 413,
    type: 'invalid_request_error',
    says: 'The request is larger than 64 MiB.',
    remedy: 'Send less at once: fewer or smaller attachments.',
  },
  'proxy/busy': {
    status: 503,
    type: 'api_error',
    says: 'Sotto is processing too many large requests at once.',
    remedy: 'Try again in a moment.',
  },
  'proxy/port-taken': {
    status: 500,
    type: 'api_error',
    says: 'Another program is using Sotto’s port.',
    remedy: 'Quit that program, and start Sotto again.',
  },
  'proxy/reach-taken': {
    status: 500,
    type: 'api_error',
    says: 'Sotto can’t use the requested network address. Another program is using it, or this computer doesn’t have it.',
    remedy: 'Quit that program, or choose another address.',
  },
  'proxy/reach-refused': {
    status: 403,
    type: 'permission_error',
    says: 'Access to Sotto from other devices wasn’t confirmed.',
    remedy: 'Start it again. Within five minutes, enter the code from its output in the window.',
  },
  'proxy/certificate': {
    status: 500,
    type: 'api_error',
    says: 'The certificate and its key can’t be used.',
    remedy: 'Use a certificate and key that match and are PEM files. Or let Sotto create its own.',
  },
  'proxy/internal': {
    status: 500,
    type: 'api_error',
    says: 'Something unexpected went wrong in Sotto.',
    remedy: 'Try again. If it happens again, report it with the time of the request.',
  },

  // Models and privacy
  'model/unknown': {
    status: 404,
    type: 'not_found_error',
    says: 'The service doesn’t list this model.',
    remedy: 'Choose a model from the list.',
  },
  'privacy/plugins': {
    status: 400,
    type: 'invalid_request_error',
    says: 'Web search would send a private prompt unencrypted to a search engine.',
    remedy: 'Turn off web search, or use a model that isn’t private.',
  },
  'privacy/path': {
    status: 400,
    type: 'invalid_request_error',
    says: 'Private models support chat only.',
    remedy: 'Use the model in a chat, or choose a model that isn’t private.',
  },
  'privacy/earlier-response': {
    status: 400,
    type: 'invalid_request_error',
    says: 'The request continues a response that was sent more privately than this model allows. Nothing was sent.',
    remedy: 'Use the model of the earlier response, or start a new conversation in the tool.',
  },
  'privacy/revision': {
    status: 400,
    type: 'invalid_request_error',
    says: 'This service uses Revision A, which has no private models.',
    remedy: 'Choose a Revision B service, or a model that isn’t private.',
  },
  'privacy/not-chosen': {
    status: 409,
    type: 'invalid_request_error',
    says: 'This chat is private, but the selected model isn’t.',
    remedy:
      'Start a new chat to use a model that the service can read. Or review what would be exposed, and allow it for one reply.',
  },
  'privacy/consent-missing': {
    status: 409,
    type: 'invalid_request_error',
    says: 'This chat is private, and this would expose part of it to the service. Nothing was sent.',
    remedy: 'Review what would be exposed, and allow it once.',
  },
  'privacy/consent-ended': {
    status: 409,
    type: 'invalid_request_error',
    says: 'Your one-time consent was already used or expired after five minutes. Nothing was sent.',
    remedy: 'Review what would be exposed, and allow it again.',
  },
  'privacy/consent-other': {
    status: 409,
    type: 'invalid_request_error',
    says: 'Your consent was for a different chat, purpose, or model. Nothing was sent.',
    remedy: 'Review what would be exposed now, and allow that.',
  },
  'privacy/consent-changed': {
    status: 409,
    type: 'invalid_request_error',
    says: 'The content that would be exposed has changed since you reviewed it. Nothing was sent.',
    remedy: 'Review what would be exposed, and allow it again.',
  },
  'relay/unverified': {
    status: 502,
    type: 'api_error',
    says: 'The service’s own enclave failed verification. Nothing was sent.',
    remedy:
      'Open Privacy in Sotto to see the failed check. There you can also choose to send these chats visibly.',
  },
  'relay/unreachable': {
    status: 502,
    type: 'api_error',
    says: 'Couldn’t fetch the evidence of the service’s own enclave. Nothing was sent.',
    remedy:
      'Check your connection and try again. On the Privacy screen you can choose to send these chats visibly.',
  },
  'relay/none': {
    status: 400,
    type: 'invalid_request_error',
    says: 'This service has no enclave of its own for chat.',
    remedy: 'Use a private model, or choose another service.',
  },
  'relay/no-image-waiting': {
    status: 409,
    type: 'invalid_request_error',
    says: 'This isn’t the image that the service’s enclave runs now.',
    remedy: 'Verify again, and look at the image that is shown then.',
  },
  'relay/provenance-refused': {
    status: 400,
    type: 'invalid_request_error',
    says: 'These files don’t prove where an image comes from. Nothing was changed.',
    remedy: 'Use PCR.json and its bundle exactly as they were published.',
  },
  'relay/too-large': {
    status: 413,
    type: 'invalid_request_error',
    says: 'The request is larger than 25 MiB, the limit of the service’s own enclave.',
    remedy: 'Send less at once: fewer or smaller attachments.',
  },

  'policy/none': {
    status: 400,
    type: 'invalid_request_error',
    says: 'This service has no attestation policy for its enclave, so nothing can be sealed.',
    remedy: 'Choose a service with a policy, or use a model that isn’t private.',
  },
  'policy/no-provider-floor': {
    status: 409,
    type: 'invalid_request_error',
    says: 'The policy of this service names no lower firmware minimum of the provider.',
    remedy: 'Keep Sotto’s minimum.',
  },
  'policy/pins-exclude-all': {
    status: 409,
    type: 'invalid_request_error',
    says: 'Your pins exclude everything that this service’s policy accepts, so nothing can be sealed.',
    remedy: 'Remove pins on the Privacy screen in Sotto.',
  },

  // The prompt library, and folders of conversations
  'prompt/name-taken': {
    status: 409,
    type: 'invalid_request_error',
    says: 'Another prompt already has this name.',
    remedy: 'Choose a different name.',
  },
  'prompt/too-many': {
    status: 409,
    type: 'invalid_request_error',
    says: 'You’ve reached the limit of 2,000 prompts.',
    remedy: 'Delete the ones you don’t use.',
  },
  'folder/unknown': {
    status: 404,
    type: 'not_found_error',
    says: 'Folder not found.',
    remedy: 'It may have been deleted. Its chats are still in the list.',
  },
  'folder/name-taken': {
    status: 409,
    type: 'invalid_request_error',
    says: 'Another folder already has this name.',
    remedy: 'Choose a different name.',
  },
  'folder/too-many': {
    status: 409,
    type: 'invalid_request_error',
    says: 'You’ve reached the limit of 500 folders.',
    remedy: 'Delete the ones you don’t use. Their chats stay.',
  },

  // Dictation and reading aloud
  'voice/recording': {
    status: 400,
    type: 'invalid_request_error',
    says: 'This recording can’t be transcribed. Nothing was sent.',
    remedy: 'Record again, and keep it shorter.',
  },
  'voice/nothing-to-say': {
    status: 400,
    type: 'invalid_request_error',
    says: 'This text has nothing to read aloud. Nothing was sent.',
    remedy: 'Choose another message, or include its code.',
  },
  'voice/reading-unknown': {
    status: 404,
    type: 'not_found_error',
    says: 'Reading aloud has already ended. Nothing was sent.',
    remedy: 'Choose “Read aloud” again.',
  },

  // Payment over Lightning: single requests, and invoices of the account
  'payment/not-available': {
    status: 402,
    type: 'insufficient_quota',
    says: 'No account is connected, and this can’t be paid per request. Nothing was sent.',
    remedy: 'Connect an account with a balance in Sotto.',
  },
  'payment/unknown': {
    status: 404,
    type: 'not_found_error',
    says: 'Payment not found.',
    remedy: 'Reopen the Wallet in Sotto to see the current list.',
  },
  'payment/invoice-invalid': {
    status: 502,
    type: 'api_error',
    says: 'The service’s invoice can’t be read, so it wasn’t paid.',
    remedy: 'Try again later. Nothing was paid.',
  },
  'payment/wrong-network': {
    status: 502,
    type: 'api_error',
    says: 'The invoice is for a different network than this service’s, so it wasn’t paid.',
    remedy: 'Check which service is selected. Nothing was paid.',
  },
  'payment/no-amount': {
    status: 502,
    type: 'api_error',
    says: 'The invoice has no amount, so it could charge anything. It wasn’t paid.',
    remedy: 'Try again later. Nothing was paid.',
  },
  'payment/wrong-amount': {
    status: 502,
    type: 'api_error',
    says: 'The invoice amount differs from the quote, so it wasn’t paid.',
    remedy: 'Try again later. Nothing was paid.',
  },
  'payment/wrong-hash': {
    status: 502,
    type: 'api_error',
    says: 'The invoice doesn’t match the payment hash from the service, so it wasn’t paid.',
    remedy: 'Try again later. Nothing was paid.',
  },
  'payment/wrong-digest': {
    status: 502,
    type: 'api_error',
    says: 'The invoice is for a different request than the one sent, so it wasn’t paid.',
    remedy: 'Try again later. Nothing was paid.',
  },
  'payment/above-listing': {
    status: 502,
    type: 'api_error',
    says: 'The invoice is for more than the listed price, so it wasn’t paid.',
    remedy: 'Check the service’s prices and try again. Nothing was paid.',
  },
  'payment/expired': {
    status: 402,
    type: 'insufficient_quota',
    says: 'The invoice has expired or is about to. It wasn’t paid.',
    remedy: 'Request a new one.',
  },
  'payment/over-limit': {
    status: 402,
    type: 'insufficient_quota',
    says: 'The payment is above a limit that you set. Nothing was paid.',
    remedy: 'Raise the limit in Sotto’s Wallet, or wait until the daily limit resets.',
  },
  'payment/already-paid': {
    status: 409,
    type: 'invalid_request_error',
    says: 'This invoice was already paid, or may have been. It won’t be paid again.',
    remedy: 'Open the payment in Sotto’s Wallet. You can retry delivery of a paid purchase there.',
  },
  'payment/under-way': {
    status: 409,
    type: 'invalid_request_error',
    says: 'The payment is in progress and can’t be canceled.',
    remedy: 'Wait until the wallet reports the outcome. You won’t pay twice.',
  },
  'payment/unresolved': {
    status: 402,
    type: 'insufficient_quota',
    says: 'The wallet hasn’t reported yet whether it paid. Sotto will check again and won’t pay twice.',
    remedy: 'Check the payment in Sotto’s Wallet. Don’t send the request again until its outcome is shown.',
  },
  'payment/refused': {
    status: 402,
    type: 'insufficient_quota',
    says: 'The payment wasn’t confirmed. Nothing was paid.',
    remedy: 'Try again, and confirm when Sotto asks.',
  },
  'payment/needs-person': {
    status: 402,
    type: 'insufficient_quota',
    says: 'A person must confirm this payment first. Nothing was paid.',
    remedy:
      'Buy something from this service once in Sotto’s Wallet, or raise the limit for paying without asking.',
  },
  'payment/paused': {
    status: 402,
    type: 'insufficient_quota',
    says: 'Sotto paused automatic payments after repeated failures. Nothing was paid.',
    remedy: 'Review recent payments in Sotto’s Wallet, and resume automatic payments there.',
  },
  'payment/preimage': {
    status: 400,
    type: 'invalid_request_error',
    says: 'This preimage doesn’t prove that the invoice was paid.',
    remedy: 'Copy this invoice’s preimage (proof of payment) from the wallet that paid it.',
  },
  'payment/undelivered': {
    status: 502,
    type: 'api_error',
    says: 'The payment succeeded, but the service didn’t deliver. The proof of payment is saved.',
    remedy:
      'Choose “Retry delivery” in Sotto’s Wallet. You won’t pay again. If that fails, export the proof and make a claim.',
  },
  'payment/credential-refused': {
    status: 502,
    type: 'api_error',
    says: 'The payment succeeded, but the service rejected the proof of payment. The proof is saved.',
    remedy: 'Retry delivery in Sotto’s Wallet, or export the proof and make a claim with the service.',
  },
  'payment/not-undelivered': {
    status: 409,
    type: 'invalid_request_error',
    says: 'Only a payment with an unknown outcome, or one that wasn’t delivered, can be ended.',
    remedy: 'Check the purchase in Sotto’s Wallet.',
  },
  'payment/given-up': {
    status: 409,
    type: 'invalid_request_error',
    says: 'Retrying was stopped for this purchase, so it won’t be requested again.',
    remedy: 'You can still export the proof and make a claim with the service.',
  },
  'payment/closed': {
    status: 409,
    type: 'invalid_request_error',
    says: 'You closed this payment. Whether it was paid isn’t known.',
    remedy: 'Check your wallet’s history. If it was paid, enter the preimage in Sotto’s Wallet.',
  },
  'payment/not-delivered': {
    status: 409,
    type: 'invalid_request_error',
    says: 'Nothing has been delivered for this payment yet.',
    remedy: 'Wait for the delivery, or retry it in Sotto’s Wallet.',
  },

  // The paying wallet
  'wallet/none': {
    status: 402,
    type: 'insufficient_quota',
    says: 'No Lightning wallet is connected. Nothing was paid.',
    remedy: 'Connect one in Sotto’s Wallet, or pay the invoice there with another wallet.',
  },
  'wallet/connection-invalid': {
    status: 400,
    type: 'invalid_request_error',
    says: 'This isn’t a usable wallet connection.',
    remedy:
      'Copy the full connection string (nostr+walletconnect://…) from your wallet. It must include a secret and a relay that begins with wss://.',
  },
  'wallet/unreachable': {
    status: 502,
    type: 'api_error',
    says: 'The wallet isn’t responding.',
    remedy: 'Check that the wallet is running and online, then try again.',
  },
  'wallet/cannot-pay': {
    status: 400,
    type: 'invalid_request_error',
    says: 'This connection doesn’t have permission to pay invoices.',
    remedy: 'In your wallet, create a connection that can pay, with its own budget.',
  },
  'wallet/encryption': {
    status: 400,
    type: 'invalid_request_error',
    says: 'This wallet supports only an encryption method that’s no longer secure (NIP-04).',
    remedy: 'Update the wallet, or connect one that supports NIP-44.',
  },
  'wallet/insufficient-balance': {
    status: 402,
    type: 'insufficient_quota',
    says: 'The wallet’s balance doesn’t cover this payment and its fee. Nothing was paid.',
    remedy: 'Add funds to the wallet, or pay with another one.',
  },
  'wallet/quota': {
    status: 402,
    type: 'insufficient_quota',
    says: 'The wallet’s budget for this connection is used up. Nothing was paid.',
    remedy: 'Raise the connection’s budget in your wallet, or wait until it resets.',
  },
  'wallet/refused': {
    status: 402,
    type: 'insufficient_quota',
    says: 'The wallet refused to pay. Nothing was paid.',
    remedy: 'Check the wallet for the reason. Its connection to Sotto may have been removed or limited.',
  },
  'wallet/rate-limited': {
    status: 429,
    type: 'rate_limit_error',
    says: 'The wallet received too many requests. Nothing was paid.',
    remedy: 'Try again in a moment.',
  },
  'wallet/payment-failed': {
    status: 402,
    type: 'insufficient_quota',
    says: 'The wallet couldn’t find a payment route. Nothing was paid.',
    remedy: 'Try again later, or pay with another wallet.',
  },
  'wallet/in-use': {
    status: 409,
    type: 'invalid_request_error',
    says: 'A payment from this wallet is in progress.',
    remedy: 'Wait until it finishes, then disconnect the wallet.',
  },
  'wallet/same-connection': {
    status: 400,
    type: 'invalid_request_error',
    says: 'Sotto already pays with this connection. The service needs its own.',
    remedy: 'Create a second connection in your wallet, with a small budget, for the service only.',
  },

  // Accounts and top-ups
  'account/unknown': {
    status: 404,
    type: 'not_found_error',
    says: 'Account not found.',
    remedy: 'Reopen the Wallet in Sotto to see the current list.',
  },
  'account/known': {
    status: 409,
    type: 'invalid_request_error',
    says: 'This account has already been added.',
    remedy: 'Choose it in the list of accounts.',
  },
  'account/backup-invalid': {
    status: 400,
    type: 'invalid_request_error',
    says: 'This isn’t an account backup, or it’s damaged.',
    remedy: 'Choose the original file saved by Sotto.',
  },
  'account/backup-passphrase': {
    status: 400,
    type: 'invalid_request_error',
    says: 'The passphrase doesn’t unlock this backup.',
    remedy: 'Enter the passphrase that the backup was saved with.',
  },
  'topup/unknown': {
    status: 404,
    type: 'not_found_error',
    says: 'Top-up not found.',
    remedy: 'Reopen the Wallet in Sotto to see the current list.',
  },
  'topup/amount': {
    status: 400,
    type: 'invalid_request_error',
    says: 'The amount is outside the service’s limits for this payment method.',
    remedy: 'Choose an amount within the limits shown.',
  },
  'topup/invoice-invalid': {
    status: 502,
    type: 'api_error',
    says: 'The service’s invoice doesn’t match the request, so it isn’t shown for payment.',
    remedy: 'Create another one. Nothing was paid.',
  },
  'topup/open': {
    status: 409,
    type: 'invalid_request_error',
    says: 'This invoice can still be paid, so it stays on the list.',
    remedy: 'Wait until it expires.',
  },

  // Budgets of local keys
  'budget/exceeded': {
    status: 402,
    type: 'insufficient_quota',
    says: 'This local key’s budget doesn’t cover the request’s possible cost. Nothing was sent.',
    remedy: 'Request a shorter reply, or raise this key’s budget on the Local API screen in Sotto.',
  },
  'budget/price-unknown': {
    status: 402,
    type: 'insufficient_quota',
    says: 'This local key has a budget, and the request’s maximum cost is unknown. Nothing was sent.',
    remedy:
      'Use a model with a listed price. Or let this key make requests of unknown price on the Local API screen in Sotto.',
  },

  // Local keys, managed by their owner
  'local-key/unknown': {
    status: 404,
    type: 'not_found_error',
    says: 'Local key not found.',
    remedy: 'Choose one from the list.',
  },
  'local-key/name-taken': {
    status: 409,
    type: 'invalid_request_error',
    says: 'Another local key already has this name.',
    remedy: 'Choose a different name.',
  },
  'local-key/revoked': {
    status: 409,
    type: 'invalid_request_error',
    says: 'This local key was revoked and can’t be restored.',
    remedy: 'Create a new one.',
  },
  'local-key/no-budget': {
    status: 409,
    type: 'invalid_request_error',
    says: 'This local key has no budget, or its budget has just changed.',
    remedy: 'Set a budget first, or try again.',
  },
  'local-key/increase-end': {
    status: 400,
    type: 'invalid_request_error',
    says: 'A temporary increase must end within 30 days.',
    remedy: 'Choose a time between now and then.',
  },
  'local-key/alias-model': {
    status: 400,
    type: 'invalid_request_error',
    says: 'An alias names a model that this key can’t use.',
    remedy: 'Change the alias or the key’s models.',
  },
  'local-key/first-origins': {
    status: 400,
    type: 'invalid_request_error',
    says: 'Web pages can’t use the default key.',
    remedy: 'Create another key for the page.',
  },
  'local-key/command-line': {
    status: 403,
    type: 'permission_error',
    says: 'Only the sotto command can get this key.',
    remedy: 'Run sotto run in a terminal.',
  },
  'local-key/first': {
    status: 409,
    type: 'invalid_request_error',
    says: 'The first key is the one Sotto shows. It can’t be removed without a replacement.',
    remedy: 'Rotate it instead. The old secret stops working immediately.',
  },

  // Sealed requests
  'attestation/failed': {
    status: 502,
    type: 'api_error',
    says: 'The enclave failed verification. Nothing was sent.',
    remedy:
      'Open Privacy in Sotto to see the failed check. If this is confidential, don’t send it to a public model instead.',
  },
  'attestation/unreachable': {
    status: 502,
    type: 'api_error',
    says: 'Couldn’t fetch the enclave’s evidence. Nothing was sent.',
    remedy: 'Check your connection and try again.',
  },
  'attestation/evidence-too-large': {
    status: 502,
    type: 'api_error',
    says: 'The evidence is too large to be genuine. It wasn’t read, and nothing was sent.',
    remedy:
      'Try again later. If this keeps happening, the problem is with the service or something in front of it.',
  },
  'attestation/older-release': {
    status: 502,
    type: 'api_error',
    says: 'The enclave runs an older release than one accepted before. Nothing was sent.',
    remedy: 'Wait for the current release, or accept the older one on the Privacy screen in Sotto.',
  },
  'attestation/not-yet-trusted': {
    status: 502,
    type: 'api_error',
    says: 'The enclave runs a release you haven’t approved, and Sotto is set to require approval. Nothing was sent.',
    remedy: 'Open Privacy in Sotto, review what changed, and approve the release there. Then send again.',
  },
  'channel/crypto-unavailable': {
    status: 502,
    type: 'api_error',
    says: 'This computer’s cryptography failed its known-answer test. Nothing was sent.',
    remedy: 'Use a supported version of Node.js, or the desktop app.',
  },
  'channel/plaintext-response': {
    status: 502,
    type: 'api_error',
    says: 'The service sent an unencrypted reply where only the enclave should reply. The reply was discarded.',
    remedy: 'Try again. If it happens again, something between you and the enclave is replying in its place.',
  },
  'channel/key-rotated': {
    status: 502,
    type: 'api_error',
    says: 'The enclave uses a different key than its evidence names, so it couldn’t read the request.',
    remedy: 'Try again in a few minutes.',
  },
  'channel/tls-key-differs': {
    status: 502,
    type: 'api_error',
    says: 'The connection doesn’t end at the verified enclave. Nothing was sent.',
    remedy: 'Try again. If this keeps happening, something on your network is reading TLS connections.',
  },
  'channel/response-invalid': {
    status: 502,
    type: 'api_error',
    says: 'The enclave’s reply couldn’t be decrypted because it was changed in transit.',
    remedy: 'Try again.',
  },
  'channel/response-truncated': {
    status: 502,
    type: 'api_error',
    says: 'The enclave’s reply was cut off in transit.',
    remedy: 'The partial reply is saved. Send again to get a complete one.',
  },

  // The service
  'service/unreachable': {
    status: 502,
    type: 'api_error',
    says: 'The service can’t be reached.',
    remedy: 'Check your connection and try again.',
  },
  'service/interrupted': {
    status: 502,
    type: 'api_error',
    says: 'The reply stopped early.',
    remedy: 'The partial reply is saved. Send again to get a complete one.',
  },
  'service/stalled': {
    status: 504,
    type: 'api_error',
    says: 'The service stopped responding.',
    remedy: 'The partial reply is saved. Try again.',
  },
  'service/no-account': {
    status: 401,
    type: 'authentication_error',
    says: 'No account at the service is connected.',
    remedy: 'Connect or create an account in Sotto.',
  },
  'service/no-api-key': {
    status: 401,
    type: 'authentication_error',
    says: 'This requires an API key, but the account has only its credit ID.',
    remedy: 'Create an API key for the account, then connect the account with it.',
  },
  'service/key-refused': {
    status: 401,
    type: 'authentication_error',
    says: 'The service rejected the account’s API key. Your local key is valid.',
    remedy: 'Reconnect the account in Sotto.',
  },
  'service/key-revoked': {
    status: 401,
    type: 'authentication_error',
    says: 'The account’s API key was revoked.',
    remedy: 'Connect the account with another of its API keys.',
  },
  'service/key-expired': {
    status: 401,
    type: 'authentication_error',
    says: 'The account’s API key has expired.',
    remedy: 'Connect the account with another of its API keys, or extend this key’s expiration date.',
  },
  'service/no-credit-id': {
    status: 401,
    type: 'authentication_error',
    says: 'This requires the account’s credit ID, but only an API key is connected.',
    remedy: 'Connect the account with its credit ID too.',
  },
  'service/spending-cap': {
    status: 402,
    type: 'insufficient_quota',
    says: 'The API key’s spending cap is used up.',
    remedy: 'Raise the cap, wait for its reset, or use another key.',
  },
  'service/balance': {
    status: 402,
    type: 'insufficient_quota',
    says: 'The account’s balance doesn’t cover this request.',
    remedy: 'Add funds to the account.',
  },
  'service/payment-required': {
    status: 402,
    type: 'insufficient_quota',
    says: 'The service requires payment for this request.',
    remedy: 'Pay its invoice, or connect an account with a balance in Sotto.',
  },
  'service/challenge-invalid': {
    status: 502,
    type: 'api_error',
    says: 'The service’s payment request can’t be read, so it wasn’t paid.',
    remedy: 'Connect an account to pay from its balance.',
  },
  'service/rate-limited': {
    status: 429,
    type: 'rate_limit_error',
    says: 'The service received too many requests.',
    remedy: 'Wait a moment and try again.',
  },
  'service/rejected': {
    status: 400,
    type: 'invalid_request_error',
    says: 'The service rejected the request.',
    remedy: 'Change the request as the service describes.',
  },
  'service/not-found': {
    status: 404,
    type: 'not_found_error',
    says: 'The service couldn’t find the requested item.',
    remedy: 'Check the name or ID. It may have expired.',
  },
  'service/not-offered': {
    status: 400,
    type: 'invalid_request_error',
    says: 'This service doesn’t support this.',
    remedy: 'Leave this out, or choose another service.',
  },
  'service/media-gone': {
    status: 404,
    type: 'not_found_error',
    says: 'The link to this result has expired.',
    remedy: 'Links last 24 hours. Generate it again.',
  },
  'service/foreign-address': {
    status: 502,
    type: 'api_error',
    says: 'The service returned an address that isn’t its own. Nothing was requested from it.',
    remedy: 'Try again. If this keeps happening, don’t trust this service’s replies.',
  },
  'service/down': {
    status: 503,
    type: 'api_error',
    says: 'The service is unavailable.',
    remedy: 'Try again in a moment.',
  },
  'service/failed': {
    status: 502,
    type: 'api_error',
    says: 'The service failed.',
    remedy: 'Try again in a moment.',
  },
  'service/response-invalid': {
    status: 502,
    type: 'api_error',
    says: 'The service’s response has an unexpected format.',
    remedy: 'Try again. If this keeps happening, this service isn’t compatible with this version of Sotto.',
  },
  'request/invalid': {
    status: 400,
    type: 'invalid_request_error',
    says: 'The request isn’t in a format that the service accepts. Nothing was sent.',
    remedy: 'Check what you entered, and try again.',
  },
  'request/locked': {
    status: 503,
    type: 'api_error',
    says: 'Sotto was locked before this request finished.',
    remedy: 'Unlock Sotto and try again.',
  },
  'request/cancelled': {
    status: 499,
    type: 'api_error',
    says: 'The request was stopped.',
    remedy: 'Send it again if you want the reply.',
  },

  // This computer
  'vault/locked': {
    status: 503,
    type: 'api_error',
    says: 'Sotto is locked.',
    remedy: 'Unlock Sotto in its window, or unlock the system keychain.',
  },
  'vault/cannot-lock': {
    status: 409,
    type: 'invalid_request_error',
    says: 'Sotto can’t be locked because nothing is saved. Locking would delete everything.',
    remedy: 'Protect Sotto with a passphrase or the system keychain first.',
  },
  'vault/wrong-passphrase': {
    status: 403,
    type: 'permission_error',
    says: 'This passphrase doesn’t unlock the vault.',
    remedy: 'Try again. A lost passphrase can’t be recovered.',
  },
  'vault/damaged': {
    status: 503,
    type: 'api_error',
    says: 'The vault file is damaged. It wasn’t changed.',
    remedy: 'Restore it from a recovery copy, or replace it with a copy of the file.',
  },
  'vault/unavailable': {
    status: 503,
    type: 'api_error',
    says: 'The requested way to store secrets doesn’t work on this computer.',
    remedy: 'Unlock the system keychain, or set up Sotto with a passphrase.',
  },
  'vault/keychain-unusable': {
    status: 503,
    type: 'api_error',
    says: 'The system keychain didn’t accept Sotto’s key. Nothing was changed.',
    remedy: 'Unlock the keychain, and try again.',
  },
  'vault/recovery-invalid': {
    status: 400,
    type: 'invalid_request_error',
    says: 'This isn’t a vault recovery copy, or it was changed after saving. Nothing was changed.',
    remedy: 'Choose another copy of it.',
  },
  'vault/recovery-passphrase': {
    status: 400,
    type: 'invalid_request_error',
    says: 'This passphrase doesn’t unlock the recovery copy. Nothing was changed.',
    remedy: 'Enter the passphrase that the copy was saved with.',
  },
  'vault/passphrase-needed': {
    status: 503,
    type: 'api_error',
    says: 'Set a passphrase before anything can be saved.',
    remedy: 'Set one in the Sotto window.',
  },
  'store/damaged': {
    status: 503,
    type: 'api_error',
    says: 'The data folder can’t be read. It wasn’t changed.',
    remedy: 'Restore it from a backup.',
  },
  'store/unwritable': {
    status: 503,
    type: 'api_error',
    says: 'Sotto can’t write to the data folder.',
    remedy: 'Free up space. Check that the folder belongs to you and isn’t read-only.',
  },
  'store/schema-changed': {
    status: 503,
    type: 'api_error',
    says: 'Another program changed the structure of the database. Sotto left it unchanged.',
    remedy: 'Restore the data folder from a backup.',
  },
  'store/rows-changed': {
    status: 503,
    type: 'api_error',
    says: 'Saved records were changed outside Sotto. Private chats, local keys, and payments are off until you accept the records.',
    remedy: 'Open Sotto, check which records changed, and accept them.',
  },
  'store/newer': {
    status: 503,
    type: 'api_error',
    says: 'The data folder was created by a newer version of Sotto.',
    remedy: 'Install the newer version.',
  },
  'host/owned': {
    status: 503,
    type: 'api_error',
    says: 'Another instance of Sotto is using this data folder.',
    remedy: 'Use the Sotto that is already running, or quit it first.',
  },
  'host/folder-foreign-owner': {
    status: 503,
    type: 'api_error',
    says: 'The data folder or a part of its path belongs to another user.',
    remedy: 'Start Sotto as the owner of the folder, or use a data folder of your own.',
  },
  'host/folder-writable-by-others': {
    status: 503,
    type: 'api_error',
    says: 'Other users can replace the data folder.',
    remedy: 'You can also use a data folder in a place that only you can change.',
  },
  'host/folder-not-private': {
    status: 503,
    type: 'api_error',
    says: 'Other users have access to the data folder.',
    remedy: 'You can also use a data folder for Sotto only, on a disk that supports Unix permissions.',
  },
  'host/folder-irregular-file': {
    status: 503,
    type: 'api_error',
    says: 'The data folder contains a link or a special file instead of one of Sotto’s files.',
    remedy: 'Move it to another place, then start Sotto again.',
  },
  'host/socket-unsafe': {
    status: 503,
    type: 'api_error',
    says: 'The file in place of Sotto’s socket isn’t a socket of yours. Nothing was sent to it.',
    remedy: 'Find out who created it. Then remove it and start Sotto again.',
  },
  'host/socket-path-too-long': {
    status: 503,
    type: 'api_error',
    says: 'The path of the data folder is too long for Sotto’s socket. There is no other private folder for the socket.',
    remedy: 'Use a data folder with a shorter path.',
  },
  'host/proxy-address': {
    status: 503,
    type: 'api_error',
    says: 'The address of the network proxy isn’t valid. Sotto won’t send anything without the proxy.',
    remedy: 'Correct the proxy address in your system’s environment, or remove it.',
  },
  'confirm/refused': {
    status: 403,
    type: 'permission_error',
    says: 'The action wasn’t confirmed.',
    remedy: 'Try again, and confirm in the system dialog or with the code in your terminal.',
  },
  'confirm/too-many': {
    status: 429,
    type: 'rate_limit_error',
    says: 'Too many requests for confirmation were denied or unanswered within an hour.',
    remedy: 'Check which program keeps asking.',
  },
  'confirm/too-soon': {
    status: 429,
    type: 'rate_limit_error',
    says: 'Sotto waits after a wrong code or a denied request before it accepts another answer.',
    remedy: 'Wait, then try again.',
  },
  'confirm/no-terminal': {
    status: 503,
    type: 'api_error',
    says: 'Sotto has no terminal to show the confirmation code in.',
    remedy: 'Start Sotto in a terminal, and let it write its log to a file.',
  },
  'desktop/none': {
    status: 404,
    type: 'not_found_error',
    says: 'This Sotto is running without a desktop.',
    remedy: 'Start the desktop app to change this.',
  },
  'desktop/setting-refused': {
    status: 503,
    type: 'api_error',
    says: 'The system didn’t accept this setting. It wasn’t changed.',
    remedy: 'Check your system’s settings for programs that start at login, and try again.',
  },
  'profile/unknown': {
    status: 404,
    type: 'not_found_error',
    says: 'Service profile not found.',
    remedy: 'Choose one from the list.',
  },
  'conversation/unknown': {
    status: 404,
    type: 'not_found_error',
    says: 'Chat not found.',
    remedy: 'It may have been deleted.',
  },
  'conversation/message-unknown': {
    status: 404,
    type: 'not_found_error',
    says: 'Message not found in this chat.',
    remedy: 'It may have been deleted. Reopen the chat.',
  },
  'attachment/unknown': {
    status: 404,
    type: 'not_found_error',
    says: 'An attached file is no longer available. Nothing was sent.',
    remedy: 'Remove it from the message, and attach it again.',
  },
  'attachment/empty': {
    status: 400,
    type: 'invalid_request_error',
    says: 'This file is empty.',
    remedy: 'Choose another one.',
  },
  'attachment/too-large': {
    status: 413,
    type: 'invalid_request_error',
    says: 'This file is too large. The limit is 15 MB for images and 4 MB of text for everything else.',
    remedy: 'Make it smaller, or attach part of it.',
  },
  'attachment/too-many': {
    status: 413,
    type: 'invalid_request_error',
    says: 'A message can have up to 20 files.',
    remedy: 'Send the others in another message.',
  },
  'attachment/all-too-large': {
    status: 413,
    type: 'invalid_request_error',
    says: 'With all its files, this chat exceeds the limit of 48 MB per request. Nothing was sent.',
    remedy: 'Remove files from the message, or continue in a new chat.',
  },
  'attachment/binary': {
    status: 400,
    type: 'invalid_request_error',
    says: 'This file isn’t text, an image, or a PDF, so models can’t read it.',
    remedy: 'Save it as text, a PDF, or an image, and attach that.',
  },
  'attachment/image-kind': {
    status: 400,
    type: 'invalid_request_error',
    says: 'Models don’t accept this type of image.',
    remedy: 'Save it as JPEG, PNG, WebP, or GIF, and attach that. Export HEIC photos as JPEG.',
  },
  'attachment/image-damaged': {
    status: 400,
    type: 'invalid_request_error',
    says: 'This image can’t be read. It’s damaged, or doesn’t match its file name.',
    remedy: 'Open it in another program, save it again, and attach the new file.',
  },
  'attachment/folder': {
    status: 400,
    type: 'invalid_request_error',
    says: 'This is a folder, or a file that can’t be opened.',
    remedy: 'Attach the files inside it, up to 20.',
  },
  'attachment/pdf-encrypted': {
    status: 400,
    type: 'invalid_request_error',
    says: 'This PDF is password-protected, so its text can’t be read.',
    remedy: 'Save a copy without the password, and attach that.',
  },
  'attachment/pdf-no-text': {
    status: 400,
    type: 'invalid_request_error',
    says: 'This PDF contains no text. Its pages are images, such as scans.',
    remedy:
      'Run text recognition (OCR) in another program. Or attach the pages as images to a model that accepts images.',
  },
  'attachment/pdf-damaged': {
    status: 400,
    type: 'invalid_request_error',
    says: 'This PDF can’t be read. It’s damaged, or doesn’t match its file name.',
    remedy: 'Open it in another program, save it again, and attach the new file.',
  },
  'attachment/pdf-too-large': {
    status: 413,
    type: 'invalid_request_error',
    says: 'This PDF is too large. The limit is 50 MB and 1,000 pages.',
    remedy: 'Attach part of it.',
  },
  'document/not-offered': {
    status: 400,
    type: 'invalid_request_error',
    says: 'This service doesn’t convert documents.',
    remedy: 'Save the document as text or as a PDF with text, and use that.',
  },
  'document/kind': {
    status: 400,
    type: 'invalid_request_error',
    says: 'This file can’t be converted. Nothing was sent.',
    remedy: 'Choose a PDF, DOCX, PPTX, XLSX, or HTML file.',
  },
  'document/too-large': {
    status: 413,
    type: 'invalid_request_error',
    says: 'This document is larger than 25 MB, the limit for conversion. Nothing was sent.',
    remedy: 'Split it into smaller documents.',
  },
  'document/fee-not-accepted': {
    status: 400,
    type: 'invalid_request_error',
    says: 'Converting a document costs a fee, which wasn’t accepted. Nothing was sent.',
    remedy: 'Accept the fee, and try again.',
  },
  'document/no-text': {
    status: 422,
    type: 'invalid_request_error',
    says: 'The enclave found no text in this document. The conversion is charged anyway.',
    remedy: 'Run text recognition (OCR) in another program, and use its result.',
  },
  'attachment/no-images': {
    status: 400,
    type: 'invalid_request_error',
    says: 'The selected model doesn’t accept images. Nothing was sent.',
    remedy: 'Choose a model that accepts images, or remove the image.',
  },
  'library/not-conversations': {
    status: 400,
    type: 'invalid_request_error',
    says: 'No ChatGPT, Claude, Open WebUI, or Sotto chats were found in this file.',
    remedy: 'If the export is a ZIP file, unzip it and choose its conversations.json.',
  },
  'library/too-large': {
    status: 413,
    type: 'invalid_request_error',
    says: 'The file is larger than 500 million characters. Everything imported so far is saved.',
    remedy: 'Split it, and import the rest.',
  },
  'library/newer': {
    status: 409,
    type: 'invalid_request_error',
    says: 'This file was saved by a newer version of Sotto.',
    remedy: 'Install the newer version, and import the file there.',
  },
  'library/backup-invalid': {
    status: 400,
    type: 'invalid_request_error',
    says: 'This isn’t a chat backup, or it was changed after saving. Everything imported so far is saved.',
    remedy: 'Choose another copy of it.',
  },
  'library/backup-passphrase': {
    status: 400,
    type: 'invalid_request_error',
    says: 'This passphrase doesn’t unlock the backup.',
    remedy: 'Enter the passphrase that the backup was saved with.',
  },
  'library/import-unknown': {
    status: 409,
    type: 'invalid_request_error',
    says: 'This import is no longer in progress. Everything imported so far is saved.',
    remedy: 'Start it again when no other import is running.',
  },

  // Studio: every request to the service except chat
  'studio/unknown': {
    status: 404,
    type: 'not_found_error',
    says: 'Job or file not found.',
    remedy: 'It may have been deleted. Reopen the list.',
  },
  'studio/state': {
    status: 409,
    type: 'invalid_request_error',
    says: 'This isn’t possible in the job’s current state.',
    remedy: 'Check its status to see the available actions.',
  },
  'studio/upload-unknown': {
    status: 404,
    type: 'not_found_error',
    says: 'The file is no longer available. The upload was incomplete, already used, or more than ten minutes old.',
    remedy: 'Choose the file again.',
  },
  'studio/upload-broken': {
    status: 400,
    type: 'invalid_request_error',
    says: 'The uploaded file didn’t have its stated length, so it was discarded.',
    remedy: 'Choose the file again. If it’s still being written, wait until it’s complete.',
  },
  'studio/file-empty': {
    status: 400,
    type: 'invalid_request_error',
    says: 'The file is empty.',
    remedy: 'Choose a file that isn’t empty.',
  },
  'studio/file-too-large': {
    status: 413,
    type: 'invalid_request_error',
    says: 'The file is larger than the service allows.',
    remedy: 'Choose a smaller file, or reduce its size first.',
  },
  'studio/image-type': {
    status: 400,
    type: 'invalid_request_error',
    says: 'The file isn’t a JPEG, PNG, or WebP image, regardless of its name.',
    remedy: 'Open it in an image editor and save it as one of these.',
  },
  'studio/image-broken': {
    status: 400,
    type: 'invalid_request_error',
    says: 'The image can’t be read. It’s incomplete, or doesn’t match its file type.',
    remedy: 'Open it in an image editor and save it again.',
  },
  'studio/image-too-large': {
    status: 400,
    type: 'invalid_request_error',
    says: 'The image is more than 16,384 pixels on one side.',
    remedy: 'Make it smaller in an image editor, and choose it again.',
  },
  'studio/audio-type': {
    status: 400,
    type: 'invalid_request_error',
    says: 'The file isn’t a supported audio format, regardless of its name.',
    remedy: 'Choose an MP3, MP4, M4A, WAV, or WebM file, or convert it to one of these.',
  },
  'studio/audio-too-large': {
    status: 413,
    type: 'invalid_request_error',
    says: 'The recording is larger than 25 MB, the service’s limit per file.',
    remedy: 'If it’s a WAV or MP3 file, send it in parts. Otherwise, lower its quality or trim it.',
  },
  'studio/audio-broken': {
    status: 400,
    type: 'invalid_request_error',
    says: 'The recording can’t be split because it doesn’t match its file type.',
    remedy: 'Save it again as WAV or MP3, or trim it in an audio editor.',
  },
  'studio/parameter-clash': {
    status: 400,
    type: 'invalid_request_error',
    says: 'A parameter in the advanced field has its own field.',
    remedy: 'Set it there, and remove it from the advanced field.',
  },
  'studio/above-cap': {
    status: 402,
    type: 'insufficient_quota',
    says: 'This could cost more than your limit. Nothing was sent.',
    remedy: 'Raise the limit, or request less.',
  },
  'studio/price-unknown': {
    status: 402,
    type: 'insufficient_quota',
    says: 'The maximum cost is unknown, and you set a limit. Nothing was sent.',
    remedy: 'Start it without the limit, or choose a model with a listed price.',
  },
  'studio/balance-only': {
    status: 400,
    type: 'invalid_request_error',
    says: 'The service sells this only from an account balance.',
    remedy: 'Connect an account, and pay from its balance.',
  },
  'studio/video-failed': {
    status: 502,
    type: 'api_error',
    says: 'The service couldn’t create the video.',
    remedy: 'Change the prompt or image, or choose another model, then try again.',
  },
  'studio/text-encoding': {
    status: 400,
    type: 'invalid_request_error',
    says: 'The file isn’t UTF-8 or UTF-16 text, or parts of it are damaged.',
    remedy: 'Open it in the program that created it, and save it as UTF-8 text.',
  },
  'studio/texts-none': {
    status: 400,
    type: 'invalid_request_error',
    says: 'The selection contains no text.',
    remedy: 'Choose a file with text, or another column.',
  },
  'studio/texts-many': {
    status: 413,
    type: 'invalid_request_error',
    says: 'There are more than 100,000 texts, the limit for one job.',
    remedy: 'Split the file, and embed the parts one at a time.',
  },
  'studio/text-long': {
    status: 413,
    type: 'invalid_request_error',
    says: 'A text is too long for an embedding model.',
    remedy: 'Split it into shorter texts, such as paragraphs.',
  },
  'studio/csv-broken': {
    status: 400,
    type: 'invalid_request_error',
    says: 'The table can’t be read. A quote isn’t closed, or a row has too many or too few cells.',
    remedy: 'Open it in a spreadsheet and save it as CSV again, or choose another delimiter.',
  },
  'studio/csv-empty': {
    status: 400,
    type: 'invalid_request_error',
    says: 'The table has no rows.',
    remedy: 'Choose another file, or check the setting for whether its first row has column names.',
  },
  'studio/csv-rows': {
    status: 413,
    type: 'invalid_request_error',
    says: 'The table has more than 200,000 rows, the limit for one batch.',
    remedy: 'Split the file, and run the parts one at a time.',
  },
  'studio/csv-column': {
    status: 400,
    type: 'invalid_request_error',
    says: 'The table doesn’t have this column.',
    remedy: 'Choose one of its columns.',
  },
  'studio/cell': {
    status: 400,
    type: 'invalid_request_error',
    says: 'A cell doesn’t match its field, or the row is empty. The row wasn’t sent.',
    remedy: 'Correct the row in the file, or treat the column as text.',
  },
  'studio/cap-reached': {
    status: 402,
    type: 'insufficient_quota',
    says: 'The next row could exceed your limit for the whole batch. Completed rows are saved.',
    remedy: 'Raise the limit to continue, or leave the remaining rows unsent.',
  },
  'studio/rows-failed': {
    status: 502,
    type: 'api_error',
    says: 'All rows were sent, but some failed. Completed rows are saved.',
    remedy: 'Review the row errors, and resend the rows you want.',
  },
  'studio/process-ended': {
    status: 409,
    type: 'invalid_request_error',
    says: 'Sotto stopped while this was in progress. Completed work is saved, and nothing more was sent.',
    remedy: 'Resume it when you’re ready.',
  },
  'studio/outcome-unknown': {
    status: 502,
    type: 'api_error',
    says: 'The connection or Sotto stopped after this was sent. It may have been completed and charged, so it won’t be resent automatically.',
    remedy: 'Check the service’s history. If the request isn’t there, send it again.',
  },

  'receipt/unknown': {
    status: 404,
    type: 'not_found_error',
    says: 'Receipt not found.',
    remedy: 'It may have been deleted.',
  },
  'privacy/no-release-waiting': {
    status: 409,
    type: 'invalid_request_error',
    says: 'This release isn’t waiting for your approval.',
    remedy: 'Verify again, and check which release it runs now.',
  },
  'privacy/measurement-unknown': {
    status: 409,
    type: 'invalid_request_error',
    says: 'Only a measurement that Sotto has verified can be pinned.',
    remedy: 'Verify the enclave, and pin the measurement it shows.',
  },
  'proof/none': {
    status: 404,
    type: 'not_found_error',
    says: 'There’s no evidence to save.',
    remedy: 'Verify the enclave first.',
  },
  'proof/too-large': {
    status: 413,
    type: 'invalid_request_error',
    says: 'The file is too large to be an evidence file.',
    remedy: 'Choose a file saved by Sotto, or an evidence bundle exactly as the service sent it.',
  },
  'proof/malformed': {
    status: 400,
    type: 'invalid_request_error',
    says: 'The evidence file has an invalid format.',
    remedy: 'Save it again. It may have been changed in transit.',
  },
  'proof/version': {
    status: 400,
    type: 'invalid_request_error',
    says: 'The evidence file uses a different format version.',
    remedy: 'Check it with the version of Sotto that created it, or a newer one.',
  },
  'proof/unreadable': {
    status: 404,
    type: 'not_found_error',
    says: 'The file can’t be read.',
    remedy: 'Check its name and your permission to read it.',
  },
  'proof/unwritable': {
    status: 409,
    type: 'invalid_request_error',
    says: 'The evidence couldn’t be saved to that file.',
    remedy: 'Enter a new file name in a folder that you can write to.',
  },
  'verify/argument': {
    status: 400,
    type: 'invalid_request_error',
    says: 'The command’s arguments aren’t valid.',
    remedy: 'Check the arguments and try again.',
  },
  'release/file-unreadable': {
    status: 404,
    type: 'not_found_error',
    says: 'The downloaded file can’t be read.',
    remedy: 'Check its name and your permission to read it.',
  },
  'release/bundle-missing': {
    status: 404,
    type: 'not_found_error',
    says: 'There’s no attestation next to the file.',
    remedy: 'Also download the file’s “.sigstore.json” from the same release.',
  },
  'release/bundle-unreadable': {
    status: 400,
    type: 'invalid_request_error',
    says: 'The attestation can’t be read. It isn’t JSON, or it’s larger than 8 MiB.',
    remedy: 'Download it again from the release page.',
  },
  'release/identity-unknown': {
    status: 409,
    type: 'invalid_request_error',
    says: 'This build of Sotto doesn’t specify its release repository, so it can’t verify release files.',
    remedy: 'Use a released version of Sotto to check the next one.',
  },
  'release/other-tag': {
    status: 409,
    type: 'invalid_request_error',
    says: 'The file is a genuine release, but its tag isn’t the one you requested.',
    remedy: 'Don’t use it in place of the release you wanted. Download that release again.',
  },
  'update/none': {
    status: 409,
    type: 'invalid_request_error',
    says: 'This version of Sotto doesn’t check for updates.',
    remedy: 'Get a new version from where you got this one, and check it with “sotto verify-release”.',
  },
  'update/off': {
    status: 409,
    type: 'invalid_request_error',
    says: 'Update checks are turned off.',
    remedy: 'Turn them on in Settings, and check again.',
  },
  'update/unreachable': {
    status: 502,
    type: 'api_error',
    says: 'The update server didn’t respond.',
    remedy: 'Check your connection and try again later. This version keeps working.',
  },
  'update/feed-unreadable': {
    status: 502,
    type: 'api_error',
    says: 'The update announcement can’t be read, so nothing was downloaded.',
    remedy: 'Try again later. This version keeps working.',
  },
  'update/download-failed': {
    status: 502,
    type: 'api_error',
    says: 'The new version couldn’t be downloaded completely.',
    remedy: 'Try again later. This version keeps working.',
  },
  'update/refused': {
    status: 409,
    type: 'invalid_request_error',
    says: 'The downloaded file couldn’t be verified as the announced release. It wasn’t installed.',
    remedy:
      'Don’t install it manually either. Sotto is unchanged. If this happens again, contact the maintainers.',
  },
  'update/not-ready': {
    status: 409,
    type: 'invalid_request_error',
    says: 'There’s no verified update to install.',
    remedy: 'Check for updates first.',
  },
  'update/not-installed': {
    status: 503,
    type: 'api_error',
    says: 'The new version was verified, but the system didn’t install it. Sotto is unchanged.',
    remedy:
      'Try again. Or download it from the release page, and check it with “sotto verify-release” before installing.',
  },
  'drill/unavailable': {
    status: 409,
    type: 'invalid_request_error',
    says: 'The self-test can’t start right now.',
    remedy: 'If one is already running, wait for it to finish, or stop it.',
  },
  'sandbox/off': {
    status: 409,
    type: 'invalid_request_error',
    says: 'Demo mode is off.',
    remedy: 'Choose demo mode as the service.',
  },
  'sandbox/route-fault': {
    status: 400,
    type: 'invalid_request_error',
    says: 'Demo mode doesn’t have this endpoint, or the endpoint can’t fail in that way.',
    remedy: 'Choose an endpoint and a fault listed in Settings.',
  },
} as const satisfies Record<string, ErrorEntry>

export type ErrorCode = keyof typeof errorCodes
export const errorCodeNames = Object.keys(errorCodes)

export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(errorCodes, code)
}
