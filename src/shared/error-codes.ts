/**
 * Every coded failure of Sotto outside a verdict: the HTTP status that the proxy answers with, the OpenAI error type,
 * what happened, and what to do. Codes are stable; sentences may be improved.
 */
interface ErrorEntry {
  readonly status: number
  readonly type: 'invalid_request_error' | 'authentication_error' | 'permission_error' | 'not_found_error' | 'rate_limit_error' | 'insufficient_quota' | 'api_error'
  readonly says: string
  readonly remedy: string
}

export const errorCodes = {
  // Callers of the proxy
  'proxy/key-missing': { status: 401, type: 'authentication_error', says: 'The request carries no Sotto key.', remedy: 'Send the local key as "Authorization: Bearer …" or "x-api-key". Sotto shows it on the Local API screen.' },
  'proxy/key-wrong': { status: 401, type: 'authentication_error', says: 'This is not a key of this Sotto.', remedy: 'Copy the local key from the Local API screen. A key of the service does not work here.' },
  'proxy/key-expired': { status: 401, type: 'authentication_error', says: 'This local key has expired.', remedy: 'Make a new one in Sotto, or give this one more time.' },
  'proxy/key-revoked': { status: 401, type: 'authentication_error', says: 'This local key was revoked.', remedy: 'Make a new one in Sotto for this tool.' },
  'proxy/key-private-only': { status: 403, type: 'permission_error', says: 'This local key is for private models alone, and the chosen model is not private.', remedy: 'Choose a model whose id begins with "private/", or change the key in Sotto.' },
  'proxy/key-model': { status: 403, type: 'permission_error', says: 'This local key is not for this model.', remedy: 'Choose a model from GET /v1/models, or change the key in Sotto.' },
  'proxy/key-rate': { status: 429, type: 'rate_limit_error', says: 'This local key has had as many requests as it may in a minute.', remedy: 'Wait for the time given in Retry-After, or change the key in Sotto.' },
  'proxy/key-grant': { status: 403, type: 'permission_error', says: 'This local key was not given the right to do this.', remedy: 'Give it that right on the Local API screen in Sotto, or use a key that has it.' },
  'proxy/account-path': { status: 403, type: 'permission_error', says: 'A tool does not manage the account, its keys or its money.', remedy: 'Do it in Sotto itself.' },
  'proxy/host-forbidden': { status: 403, type: 'permission_error', says: 'The request names a host that this address does not answer for.', remedy: 'Use the base address that Sotto shows, with 127.0.0.1 or localhost.' },
  'proxy/origin-forbidden': { status: 403, type: 'permission_error', says: 'Web pages may not use this address.', remedy: 'Call it from a program on this machine and not from a page in a browser.' },
  'proxy/key-not-for-pages': { status: 403, type: 'permission_error', says: 'This is the first key, which Sotto keeps for programs. A web page may not use it.', remedy: 'Make a key for this page on the Local API screen, with a budget.' },
  'proxy/content-type': { status: 415, type: 'invalid_request_error', says: 'The body is not announced as what this path takes.', remedy: 'Send "Content-Type: application/json", or a form as multipart/form-data where a file goes with it.' },
  'proxy/malformed-json': { status: 400, type: 'invalid_request_error', says: 'The body is not valid JSON.', remedy: 'Send one JSON object in UTF-8.' },
  'proxy/duplicate-member': { status: 400, type: 'invalid_request_error', says: 'The body names the same member twice, so two readers could disagree about it.', remedy: 'Send each member once.' },
  'proxy/malformed-form': { status: 400, type: 'invalid_request_error', says: 'The body is not a form that can be read in one way only.', remedy: 'Send multipart/form-data with each field once and its files under the names of the OpenAI reference.' },
  'proxy/file-too-large': { status: 413, type: 'invalid_request_error', says: 'A file of the form is larger than 25 MB.', remedy: 'Send a smaller file, or split it.' },
  'proxy/model-missing': { status: 400, type: 'invalid_request_error', says: 'The request names no model.', remedy: 'Add a "model" from GET /v1/models.' },
  'proxy/invalid-request': { status: 400, type: 'invalid_request_error', says: 'The request does not have the expected form.', remedy: 'Compare it with the reference of the interface that you call.' },
  'dialect/unsupported': { status: 400, type: 'invalid_request_error', says: 'The request asks for something that cannot be carried over to chat completions. Nothing was sent.', remedy: 'Leave out the named member.' },
  'proxy/path-unknown': { status: 404, type: 'not_found_error', says: 'Sotto does not serve this path.', remedy: 'Use a path of OpenAI’s interface that the service has, such as /v1/chat/completions or /v1/models.' },
  'proxy/body-too-large': { status: 413, type: 'invalid_request_error', says: 'The body is larger than 64 MiB.', remedy: 'Send less at once: fewer or smaller attachments.' },
  'proxy/port-taken': { status: 500, type: 'api_error', says: 'Another program is using the port that was asked for.', remedy: 'Stop that program or choose another port with SOTTO_PORT.' },
  'proxy/reach-taken': { status: 500, type: 'api_error', says: 'The address beyond this machine cannot be used: another program has it, or this machine does not.', remedy: 'Stop that program, or name another address with --bind.' },
  'proxy/reach-refused': { status: 403, type: 'permission_error', says: 'It was not confirmed that Sotto may be reached from beyond this machine.', remedy: 'Start it again and type the code that it prints in the window within five minutes.' },
  'proxy/certificate': { status: 500, type: 'api_error', says: 'The certificate and its key cannot be used.', remedy: 'Give --tls-cert and --tls-key as PEM files that belong together, or neither for a certificate of Sotto’s own.' },
  'proxy/internal': { status: 500, type: 'api_error', says: 'Sotto failed in a way that it does not know.', remedy: 'Try again. If it happens again, report it with the time of the request.' },

  // Models and the way out
  'model/unknown': { status: 404, type: 'not_found_error', says: 'The service does not list this model.', remedy: 'Choose a model from GET /v1/models.' },
  'privacy/plugins': { status: 400, type: 'invalid_request_error', says: 'Web search would send a private prompt to a search engine in the open.', remedy: 'Remove "plugins", or use a model that is not private.' },
  'privacy/path': { status: 400, type: 'invalid_request_error', says: 'Private models are served for chat only.', remedy: 'Use /v1/chat/completions, /v1/responses or /v1/messages, or a model that is not private.' },
  'privacy/revision': { status: 400, type: 'invalid_request_error', says: 'This service is of Revision A, which has no private models.', remedy: 'Choose a service of Revision B, or a model that is not private.' },
  'privacy/not-chosen': { status: 409, type: 'invalid_request_error', says: 'This conversation is private and the chosen model is not.', remedy: 'Start a new conversation to use a model that the service can read.' },
  'policy/none': { status: 400, type: 'invalid_request_error', says: 'No attestation policy says what this service’s enclave must prove, so nothing can be sealed.', remedy: 'Choose a service with a policy, or use a model that is not private.' },
  'policy/pins-exclude-all': { status: 409, type: 'invalid_request_error', says: 'What is pinned and what the policy of this service accepts have nothing in common, so nothing can be sealed.', remedy: 'Take pins away on the Privacy screen.' },

  // Payment over Lightning: single requests, and invoices of the account
  'payment/not-available': { status: 402, type: 'insufficient_quota', says: 'No account is connected, and this cannot be paid for by itself. Nothing was sent.', remedy: 'Connect an account with a balance in Sotto.' },
  'payment/unknown': { status: 404, type: 'not_found_error', says: 'There is no such payment.', remedy: 'Open the Wallet again to see those that there are.' },
  'payment/invoice-invalid': { status: 502, type: 'api_error', says: 'The service’s invoice cannot be read, so it was not paid.', remedy: 'Try again later. Nothing was paid.' },
  'payment/wrong-network': { status: 502, type: 'api_error', says: 'The invoice is for another network than this service’s, so it was not paid.', remedy: 'Check which service is chosen. Nothing was paid.' },
  'payment/no-amount': { status: 502, type: 'api_error', says: 'The invoice names no amount, so that anything could be taken for it. It was not paid.', remedy: 'Try again later. Nothing was paid.' },
  'payment/wrong-amount': { status: 502, type: 'api_error', says: 'The invoice asks for another amount than was quoted, so it was not paid.', remedy: 'Try again later. Nothing was paid.' },
  'payment/wrong-hash': { status: 502, type: 'api_error', says: 'The invoice is not the one that the service named beside it, so it was not paid.', remedy: 'Try again later. Nothing was paid.' },
  'payment/wrong-digest': { status: 502, type: 'api_error', says: 'The invoice is for another request than the one that was sent, so it was not paid.', remedy: 'Try again later. Nothing was paid.' },
  'payment/above-listing': { status: 502, type: 'api_error', says: 'The invoice asks for more than the listing says, so it was not paid.', remedy: 'Look at the service’s prices, and ask again. If bitcoin fell today, make a topup invoice in dollars first, which tells the new rate and need not be paid. Nothing was paid.' },
  'payment/expired': { status: 402, type: 'insufficient_quota', says: 'The invoice has run out, or is about to. It was not paid.', remedy: 'Ask again for a new one.' },
  'payment/over-limit': { status: 402, type: 'insufficient_quota', says: 'The payment is above a limit that you set, so nothing was paid.', remedy: 'Raise the limit in the Wallet, or wait until the day’s is free again.' },
  'payment/already-paid': { status: 409, type: 'invalid_request_error', says: 'This invoice was paid before, or may have been, and is not paid again.', remedy: 'Look at it in the Wallet; what was paid can be delivered again from there.' },
  'payment/under-way': { status: 409, type: 'invalid_request_error', says: 'The payment is under way, and cannot be taken back.', remedy: 'Wait until the wallet says what became of it. Nothing is paid twice.' },
  'payment/unresolved': { status: 402, type: 'insufficient_quota', says: 'The wallet has not said yet whether it paid. It is asked again, and nothing is paid twice.', remedy: 'Look at the payment in the Wallet. Do not send the request again until it says what became of it.' },
  'payment/refused': { status: 402, type: 'insufficient_quota', says: 'It was not confirmed that this may be paid. Nothing was paid.', remedy: 'Ask again, and confirm it where Sotto asks.' },
  'payment/needs-person': { status: 402, type: 'insufficient_quota', says: 'A person has to agree to this payment first. Nothing was paid.', remedy: 'Buy something from this service once in Sotto’s Wallet, or raise what is paid without asking.' },
  'payment/paused': { status: 402, type: 'insufficient_quota', says: 'Sotto stopped paying by itself after failures in a row. Nothing was paid.', remedy: 'Look at the last payments in the Wallet, and let it go on there.' },
  'payment/preimage': { status: 400, type: 'invalid_request_error', says: 'This preimage does not prove that the invoice was paid.', remedy: 'Copy the preimage, or proof of payment, of this very invoice from the wallet that paid it.' },
  'payment/undelivered': { status: 502, type: 'api_error', says: 'It was paid, and the service did not deliver. The proof of payment is kept.', remedy: 'Press “Retry delivery” in the Wallet: nothing is paid again. If that fails, export the proof and claim it from the service.' },
  'payment/credential-refused': { status: 502, type: 'api_error', says: 'It was paid, and the service does not accept the proof of payment. The proof is kept.', remedy: 'Retry the delivery in the Wallet, or export the proof and claim it from the service.' },
  'payment/not-undelivered': { status: 409, type: 'invalid_request_error', says: 'Only what was paid and not delivered can be given up.', remedy: 'Look at what became of it in the Wallet.' },
  'payment/given-up': { status: 409, type: 'invalid_request_error', says: 'This purchase was given up, so it is not asked for again.', remedy: 'Its proof can still be exported, to claim it from the service.' },
  'payment/not-delivered': { status: 409, type: 'invalid_request_error', says: 'Nothing was delivered for this payment yet.', remedy: 'Wait for it, or retry the delivery in the Wallet.' },

  // The wallet that pays
  'wallet/none': { status: 402, type: 'insufficient_quota', says: 'No Lightning wallet is connected. Nothing was paid.', remedy: 'Connect one in Sotto’s Wallet, or pay the invoice with another wallet there.' },
  'wallet/connection-invalid': { status: 400, type: 'invalid_request_error', says: 'This is no wallet connection that can be used.', remedy: 'Copy the whole connection (nostr+walletconnect://…) from your wallet, with its secret and a relay that begins with wss://.' },
  'wallet/unreachable': { status: 502, type: 'api_error', says: 'The wallet does not answer.', remedy: 'See that the wallet is running and online, then try again.' },
  'wallet/cannot-pay': { status: 400, type: 'invalid_request_error', says: 'This connection may not pay invoices.', remedy: 'Make a connection in your wallet that is allowed to pay, with a budget of its own.' },
  'wallet/encryption': { status: 400, type: 'invalid_request_error', says: 'This wallet only speaks an encryption that is no longer safe (NIP-04).', remedy: 'Update the wallet, or connect one that speaks NIP-44.' },
  'wallet/insufficient-balance': { status: 402, type: 'insufficient_quota', says: 'The wallet has too little for this payment and its fee. Nothing was paid.', remedy: 'Add to the wallet, or pay with another.' },
  'wallet/quota': { status: 402, type: 'insufficient_quota', says: 'The wallet’s own budget for this connection is used up. Nothing was paid.', remedy: 'Raise the connection’s budget in your wallet, or wait until it starts anew.' },
  'wallet/refused': { status: 402, type: 'insufficient_quota', says: 'The wallet refused to pay. Nothing was paid.', remedy: 'Look into the wallet for the reason; its connection to Sotto may have been removed or limited.' },
  'wallet/rate-limited': { status: 429, type: 'rate_limit_error', says: 'The wallet was asked too often. Nothing was paid.', remedy: 'Wait a moment and try again.' },
  'wallet/payment-failed': { status: 402, type: 'insufficient_quota', says: 'The wallet found no way to pay. Nothing was paid.', remedy: 'Try again later, or pay with another wallet.' },
  'wallet/in-use': { status: 409, type: 'invalid_request_error', says: 'A payment with this wallet is under way.', remedy: 'Wait until it has ended, then disconnect the wallet.' },
  'wallet/same-connection': { status: 400, type: 'invalid_request_error', says: 'This is the connection that Sotto pays with. The service must have one of its own.', remedy: 'Make a second connection in your wallet, with a small budget, for the service alone.' },

  // Accounts, and topping them up
  'account/unknown': { status: 404, type: 'not_found_error', says: 'There is no such account here.', remedy: 'Open the Wallet again to see those that there are.' },
  'account/known': { status: 409, type: 'invalid_request_error', says: 'This account is kept here already.', remedy: 'Choose it in the list of accounts.' },
  'account/backup-invalid': { status: 400, type: 'invalid_request_error', says: 'This is no backup of accounts, or it is damaged.', remedy: 'Choose the file that Sotto saved, unchanged.' },
  'account/backup-passphrase': { status: 400, type: 'invalid_request_error', says: 'The passphrase does not open this backup.', remedy: 'Type the one that was chosen when the backup was made.' },
  'topup/unknown': { status: 404, type: 'not_found_error', says: 'There is no such topup here.', remedy: 'Open the Wallet again to see those that there are.' },
  'topup/amount': { status: 400, type: 'invalid_request_error', says: 'The amount is outside of what the service takes by this method.', remedy: 'Choose an amount between the limits that are shown.' },
  'topup/invoice-invalid': { status: 502, type: 'api_error', says: 'The service’s invoice is not what was asked for, so it is not shown for paying.', remedy: 'Make another one. Nothing was paid.' },
  'topup/open': { status: 409, type: 'invalid_request_error', says: 'This invoice may still be paid, so it stays on the list.', remedy: 'Wait until it has run out.' },

  // Budgets of local keys
  'budget/exceeded': { status: 402, type: 'insufficient_quota', says: 'This local key’s budget does not cover what the request can cost. Nothing was sent.', remedy: 'Ask for fewer tokens, or raise the budget of this key in Sotto.' },
  'budget/price-unknown': { status: 402, type: 'insufficient_quota', says: 'This local key has a budget, and the most that the request can cost is not known. Nothing was sent.', remedy: 'Add "max_completion_tokens", use a model with a listed price, or allow this key requests of unknown price.' },

  // Local keys as their owner handles them
  'local-key/unknown': { status: 404, type: 'not_found_error', says: 'There is no such local key.', remedy: 'Choose one from the list.' },
  'local-key/name-taken': { status: 409, type: 'invalid_request_error', says: 'Another local key has this name.', remedy: 'Choose a name that tells the two apart.' },
  'local-key/revoked': { status: 409, type: 'invalid_request_error', says: 'This local key was revoked, and stays so.', remedy: 'Make a new one.' },
  'local-key/first': { status: 409, type: 'invalid_request_error', says: 'The first key is the one that Sotto shows, and is never without a successor.', remedy: 'Rotate it: the former secret ends at once.' },

  // The sealed way
  'attestation/failed': { status: 502, type: 'api_error', says: 'The enclave did not prove what it must prove. Nothing was sent.', remedy: 'Open Privacy to see the step that failed. Do not send this to a public model instead if it is confidential.' },
  'attestation/unreachable': { status: 502, type: 'api_error', says: 'The enclave’s evidence could not be fetched. Nothing was sent.', remedy: 'Check the connection and try again.' },
  'attestation/evidence-too-large': { status: 502, type: 'api_error', says: 'The evidence is larger than any honest enclave’s. It was not read and nothing was sent.', remedy: 'Try again later. If it stays so, the service or something before it is at fault.' },
  'attestation/older-release': { status: 502, type: 'api_error', says: 'The enclave runs an older release than one that was accepted before. Nothing was sent.', remedy: 'Wait for the current release, or accept the older one on the Privacy screen.' },
  'attestation/not-yet-trusted': { status: 502, type: 'api_error', says: 'The enclave runs a release that was never accepted here, and Sotto is set to ask before it trusts a new one. Nothing was sent.', remedy: 'Open Privacy in Sotto, see what changed, and trust the release there; then send again.' },
  'channel/crypto-unavailable': { status: 502, type: 'api_error', says: 'The cryptography of this machine failed its known-answer test. Nothing was sent.', remedy: 'Use a supported Node.js or the desktop app.' },
  'channel/plaintext-response': { status: 502, type: 'api_error', says: 'The service answered in the open where only the enclave should answer. The answer was thrown away.', remedy: 'Try again. If it happens again, something between you and the enclave is answering in its place.' },
  'channel/key-rotated': { status: 502, type: 'api_error', says: 'The enclave changed its key twice in a row and did not read the request.', remedy: 'Try again in a moment.' },
  'channel/response-invalid': { status: 502, type: 'api_error', says: 'The enclave’s answer could not be opened: it was changed on the way.', remedy: 'Try again.' },
  'channel/response-truncated': { status: 502, type: 'api_error', says: 'The enclave’s answer was cut off on the way.', remedy: 'What arrived is kept. Send again to have the rest.' },

  // The service
  'service/unreachable': { status: 502, type: 'api_error', says: 'The service cannot be reached.', remedy: 'Check the connection and try again.' },
  'service/interrupted': { status: 502, type: 'api_error', says: 'The answer stopped before its end.', remedy: 'What arrived is kept. Send again to have the rest.' },
  'service/stalled': { status: 504, type: 'api_error', says: 'The service stopped sending and said nothing for too long.', remedy: 'What arrived is kept. Try again.' },
  'service/no-account': { status: 401, type: 'authentication_error', says: 'No account of the service is connected.', remedy: 'Connect or create an account in Sotto.' },
  'service/key-refused': { status: 401, type: 'authentication_error', says: 'The service refused the account’s key. (Your local key is right.)', remedy: 'Connect the account again in Sotto.' },
  'service/key-revoked': { status: 401, type: 'authentication_error', says: 'The account’s key was revoked.', remedy: 'Connect the account with another of its keys.' },
  'service/key-expired': { status: 401, type: 'authentication_error', says: 'The account’s key has expired.', remedy: 'Connect the account with another of its keys, or give the key a later end.' },
  'service/no-credit-id': { status: 401, type: 'authentication_error', says: 'This needs the account’s credit id, and only a key is connected.', remedy: 'Connect the account with its credit id as well.' },
  'service/spending-cap': { status: 402, type: 'insufficient_quota', says: 'The key’s spending cap is used up.', remedy: 'Raise the cap, wait for its reset, or use another key.' },
  'service/balance': { status: 402, type: 'insufficient_quota', says: 'The account’s balance does not cover this request.', remedy: 'Top up the account.' },
  'service/payment-required': { status: 402, type: 'insufficient_quota', says: 'The service wants to be paid for this request.', remedy: 'Pay its invoice, or connect an account with a balance.' },
  'service/challenge-invalid': { status: 502, type: 'api_error', says: 'The service’s demand for payment cannot be read, so it was not paid.', remedy: 'Connect an account to pay from its balance.' },
  'service/rate-limited': { status: 429, type: 'rate_limit_error', says: 'The service asks to slow down.', remedy: 'Wait for the time given in Retry-After and try again.' },
  'service/rejected': { status: 400, type: 'invalid_request_error', says: 'The service refused the request.', remedy: 'Change the request as the service says.' },
  'service/not-found': { status: 404, type: 'not_found_error', says: 'The service does not have what was asked for.', remedy: 'Check the name or id. It may have ended.' },
  'service/not-offered': { status: 400, type: 'invalid_request_error', says: 'This service’s revision of the interface does not have this.', remedy: 'Choose a service of the other revision, or leave it out.' },
  'service/media-gone': { status: 404, type: 'not_found_error', says: 'The link to this result has ended.', remedy: 'Links last 24 hours. Make it again.' },
  'service/foreign-address': { status: 502, type: 'api_error', says: 'The service named an address that is not its own. Nothing was asked of it.', remedy: 'Try again. If it stays so, do not trust this service’s answers.' },
  'service/down': { status: 503, type: 'api_error', says: 'The service is not available now.', remedy: 'Try again in a moment.' },
  'service/failed': { status: 502, type: 'api_error', says: 'The service failed.', remedy: 'Try again in a moment.' },
  'service/response-invalid': { status: 502, type: 'api_error', says: 'The service’s answer has an unexpected form.', remedy: 'Try again. If it stays so, this service does not fit this version of Sotto.' },
  'request/invalid': { status: 400, type: 'invalid_request_error', says: 'The request does not have the form that the service takes. Nothing was sent.', remedy: 'Correct the named member.' },
  'request/cancelled': { status: 499, type: 'api_error', says: 'The request was stopped.', remedy: 'Send it again if you want the answer.' },

  // This machine
  'vault/locked': { status: 503, type: 'api_error', says: 'Sotto’s vault is locked.', remedy: 'Unlock it in the Sotto window, or unlock the system keychain.' },
  'vault/wrong-passphrase': { status: 403, type: 'permission_error', says: 'This passphrase does not open the vault.', remedy: 'Try again. There is no way to recover a lost passphrase.' },
  'vault/damaged': { status: 503, type: 'api_error', says: 'The vault’s file is damaged. It was left as it is.', remedy: 'Restore it from a backup.' },
  'vault/unavailable': { status: 503, type: 'api_error', says: 'The vault that was asked for does not work on this machine.', remedy: 'Set SOTTO_VAULT to auto, file or memory.' },
  'vault/passphrase-needed': { status: 503, type: 'api_error', says: 'A passphrase is needed before anything can be kept.', remedy: 'Choose one in the Sotto window.' },
  'store/damaged': { status: 503, type: 'api_error', says: 'The data folder cannot be read. It was left as it is.', remedy: 'Restore it from a backup, or start with another SOTTO_DATA_DIR.' },
  'store/unwritable': { status: 503, type: 'api_error', says: 'The data folder cannot be written.', remedy: 'Free some space, and check that the folder belongs to you.' },
  'store/newer': { status: 503, type: 'api_error', says: 'The data folder was written by a newer Sotto.', remedy: 'Install the newer version.' },
  'host/owned': { status: 503, type: 'api_error', says: 'Another Sotto owns this data folder.', remedy: 'Use "sotto open", or stop the other one.' },
  'host/proxy-address': { status: 503, type: 'api_error', says: 'HTTPS_PROXY does not hold the address of a proxy. Nothing is sent around it.', remedy: 'Set it to an address such as http://proxy.example:3128, or remove it.' },
  'confirm/refused': { status: 403, type: 'permission_error', says: 'The action was not confirmed outside this window.', remedy: 'Try again and confirm with the code in the terminal or the dialog.' },
  'profile/unknown': { status: 404, type: 'not_found_error', says: 'There is no such service profile.', remedy: 'Choose one from the list.' },
  'conversation/unknown': { status: 404, type: 'not_found_error', says: 'There is no such conversation.', remedy: 'It may have been deleted.' },
  'conversation/message-unknown': { status: 404, type: 'not_found_error', says: 'There is no such message in this conversation.', remedy: 'It may have been deleted. Open the conversation again.' },
  'library/not-conversations': { status: 400, type: 'invalid_request_error', says: 'No conversation of ChatGPT, Claude, Open WebUI or Sotto was found in this file.', remedy: 'Unpack the export where it is a ZIP file, and choose its conversations.json.' },
  'library/too-large': { status: 413, type: 'invalid_request_error', says: 'The file is larger than 500 million characters. What was read before stays.', remedy: 'Split it, and import the rest.' },
  'library/newer': { status: 409, type: 'invalid_request_error', says: 'This file was saved by a newer Sotto.', remedy: 'Install the newer version, and import it there.' },
  'library/backup-invalid': { status: 400, type: 'invalid_request_error', says: 'This is no backup of conversations, or not as it was saved. What was read before stays.', remedy: 'Choose another copy of it.' },
  'library/backup-passphrase': { status: 400, type: 'invalid_request_error', says: 'This passphrase does not open the backup.', remedy: 'Type the one that the backup was saved with.' },
  'library/import-unknown': { status: 409, type: 'invalid_request_error', says: 'This import is no longer under way. What it had taken in stays.', remedy: 'Begin it again, with nothing else being imported.' },
  'receipt/unknown': { status: 404, type: 'not_found_error', says: 'There is no such receipt.', remedy: 'It may have been deleted.' },
  'privacy/no-release-waiting': { status: 409, type: 'invalid_request_error', says: 'The enclave does not wait for your consent to this release.', remedy: 'Verify again, and look at what it runs now.' },
  'privacy/measurement-unknown': { status: 409, type: 'invalid_request_error', says: 'Only a measurement that was verified here can be pinned.', remedy: 'Verify the enclave, and pin what it shows.' },
  'proof/none': { status: 404, type: 'not_found_error', says: 'There is no evidence to save.', remedy: 'Verify the enclave first.' },
  'proof/too-large': { status: 413, type: 'invalid_request_error', says: 'The file is larger than any proof.', remedy: 'Choose a file that Sotto saved, or a bundle as the service sent it.' },
  'proof/malformed': { status: 400, type: 'invalid_request_error', says: 'The file says that it is a proof and does not have the form of one.', remedy: 'Save it again; it may have been changed on the way.' },
  'proof/version': { status: 400, type: 'invalid_request_error', says: 'The file is a proof of another version of the format.', remedy: 'Check it with the version of Sotto that wrote it, or a newer one.' },
  'proof/unreadable': { status: 404, type: 'not_found_error', says: 'The file cannot be read.', remedy: 'Check its name and whether you may read it.' },
  'proof/unwritable': { status: 409, type: 'invalid_request_error', says: 'The proof could not be written to that file.', remedy: 'Name a file that does not exist yet, in a folder that you may write.' },
  'verify/argument': { status: 400, type: 'invalid_request_error', says: 'The command cannot be used this way.', remedy: 'See "sotto verify --help".' },
  'release/file-unreadable': { status: 404, type: 'not_found_error', says: 'The downloaded file cannot be read.', remedy: 'Check its name and whether you may read it.' },
  'release/bundle-missing': { status: 404, type: 'not_found_error', says: 'There is no attestation beside the file.', remedy: 'Download the file’s “.sigstore.json” of the same release too, or name it with --bundle.' },
  'release/bundle-unreadable': { status: 400, type: 'invalid_request_error', says: 'The attestation cannot be read: it is not JSON, or larger than 8 MiB.', remedy: 'Download it again from the release page.' },
  'release/identity-unknown': { status: 409, type: 'invalid_request_error', says: 'This build of Sotto does not name the repository that its releases come from, so no file can be known for one.', remedy: 'Use a released Sotto to check the next one.' },
  'release/other-tag': { status: 409, type: 'invalid_request_error', says: 'The file is a genuine release, of another tag than was asked for.', remedy: 'Do not take it for the one that you wanted. Download it again.' },
  'drill/unavailable': { status: 409, type: 'invalid_request_error', says: 'The attack drill cannot be started now.', remedy: 'Where one is running already, wait until it is done, or stop it.' },
  'sandbox/off': { status: 409, type: 'invalid_request_error', says: 'The sandbox is not running.', remedy: 'Choose the sandbox as the service.' },
  'sandbox/route-fault': { status: 400, type: 'invalid_request_error', says: 'The sandbox has no such route, or it cannot fail in that way.', remedy: 'Choose among the routes and faults that Settings lists.' },
} as const satisfies Record<string, ErrorEntry>

export type ErrorCode = keyof typeof errorCodes
export const errorCodeNames = Object.keys(errorCodes)

export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(errorCodes, code)
}
