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
  'proxy/key-private-only': { status: 403, type: 'permission_error', says: 'This local key is for private models alone, and the chosen model is not private.', remedy: 'Choose a model whose id begins with "private/", or change the key in Sotto.' },
  'proxy/key-model': { status: 403, type: 'permission_error', says: 'This local key is not for this model.', remedy: 'Choose a model from GET /v1/models, or change the key in Sotto.' },
  'proxy/key-rate': { status: 429, type: 'rate_limit_error', says: 'This local key has had as many requests as it may in a minute.', remedy: 'Wait for the time given in Retry-After, or change the key in Sotto.' },
  'proxy/host-forbidden': { status: 403, type: 'permission_error', says: 'The request names a host that this address does not answer for.', remedy: 'Use the base address that Sotto shows, with 127.0.0.1 or localhost.' },
  'proxy/origin-forbidden': { status: 403, type: 'permission_error', says: 'Web pages may not use this address.', remedy: 'Call it from a program on this machine and not from a page in a browser.' },
  'proxy/content-type': { status: 415, type: 'invalid_request_error', says: 'The body is not announced as JSON.', remedy: 'Send "Content-Type: application/json".' },
  'proxy/malformed-json': { status: 400, type: 'invalid_request_error', says: 'The body is not valid JSON.', remedy: 'Send one JSON object in UTF-8.' },
  'proxy/duplicate-member': { status: 400, type: 'invalid_request_error', says: 'The body names the same member twice, so two readers could disagree about it.', remedy: 'Send each member once.' },
  'proxy/model-missing': { status: 400, type: 'invalid_request_error', says: 'The request names no model.', remedy: 'Add a "model" from GET /v1/models.' },
  'proxy/invalid-request': { status: 400, type: 'invalid_request_error', says: 'The request does not have the expected form.', remedy: 'Compare it with the OpenAI chat completions reference.' },
  'proxy/path-unknown': { status: 404, type: 'not_found_error', says: 'Sotto does not serve this path.', remedy: 'Use /v1/models, /v1/chat/completions or /health.' },
  'proxy/body-too-large': { status: 413, type: 'invalid_request_error', says: 'The body is larger than 64 MiB.', remedy: 'Send less at once: fewer or smaller attachments.' },
  'proxy/port-taken': { status: 500, type: 'api_error', says: 'Another program is using the port that was asked for.', remedy: 'Stop that program or choose another port with SOTTO_PORT.' },
  'proxy/internal': { status: 500, type: 'api_error', says: 'Sotto failed in a way that it does not know.', remedy: 'Try again. If it happens again, report it with the time of the request.' },

  // Models and the way out
  'model/unknown': { status: 404, type: 'not_found_error', says: 'The service does not list this model.', remedy: 'Choose a model from GET /v1/models.' },
  'privacy/plugins': { status: 400, type: 'invalid_request_error', says: 'Web search would send a private prompt to a search engine in the open.', remedy: 'Remove "plugins", or use a model that is not private.' },
  'privacy/path': { status: 400, type: 'invalid_request_error', says: 'Private models are served for chat completions only.', remedy: 'Use /v1/chat/completions, or a model that is not private.' },
  'privacy/revision': { status: 400, type: 'invalid_request_error', says: 'This service is of Revision A, which has no private models.', remedy: 'Choose a service of Revision B, or a model that is not private.' },
  'privacy/not-chosen': { status: 409, type: 'invalid_request_error', says: 'This conversation is private and the chosen model is not.', remedy: 'Start a new conversation to use a model that the service can read.' },
  'policy/none': { status: 400, type: 'invalid_request_error', says: 'No attestation policy says what this service’s enclave must prove, so nothing can be sealed.', remedy: 'Choose a service with a policy, or use a model that is not private.' },
  'policy/pins-exclude-all': { status: 409, type: 'invalid_request_error', says: 'What is pinned and what the policy of this service accepts have nothing in common, so nothing can be sealed.', remedy: 'Take pins away on the Privacy screen.' },

  // Budgets of local keys
  'budget/exceeded': { status: 402, type: 'insufficient_quota', says: 'This local key’s budget does not cover what the request can cost. Nothing was sent.', remedy: 'Ask for fewer tokens, or raise the budget of this key in Sotto.' },
  'budget/price-unknown': { status: 402, type: 'insufficient_quota', says: 'This local key has a budget, and the most that the request can cost is not known. Nothing was sent.', remedy: 'Add "max_completion_tokens", use a model with a listed price, or allow this key requests of unknown price.' },

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
  'drill/unavailable': { status: 409, type: 'invalid_request_error', says: 'The attack drill cannot be started now.', remedy: 'Where one is running already, wait until it is done, or stop it.' },
  'sandbox/off': { status: 409, type: 'invalid_request_error', says: 'The sandbox is not running.', remedy: 'Choose the sandbox as the service.' },
} as const satisfies Record<string, ErrorEntry>

export type ErrorCode = keyof typeof errorCodes
export const errorCodeNames = Object.keys(errorCodes)

export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(errorCodes, code)
}
