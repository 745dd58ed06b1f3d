import type { ErrorEntry } from './error-entry.ts'

/** The service and demo mode. */
export const serviceErrors = {
  'service/unreachable': {
    status: 502,
    says: 'The service can’t be reached.',
    remedy: 'Check your connection and try again.',
  },
  'service/interrupted': {
    status: 502,
    says: 'The reply stopped early.',
    remedy: 'The partial reply is saved. Send again to get a complete one.',
  },
  'service/timeout': {
    status: 504,
    says: 'The service stopped responding.',
    remedy: 'The partial reply is saved. Try again.',
  },
  'service/no-account': {
    status: 401,
    says: 'No account at the service is connected.',
    remedy: 'Connect or create an account in Sotto.',
  },
  'service/no-api-key': {
    status: 401,
    says: 'This requires an API key, but the account has only its credit ID.',
    remedy: 'Create an API key for the account, then connect the account with it.',
  },
  'service/key-refused': {
    status: 401,
    says: 'The service rejected the account’s API key. Your local key is valid.',
    remedy: 'Reconnect the account in Sotto.',
  },
  'service/key-revoked': {
    status: 401,
    says: 'The account’s API key was revoked.',
    remedy: 'Connect the account with another of its API keys.',
  },
  'service/key-expired': {
    status: 401,
    says: 'The account’s API key has expired.',
    remedy: 'Connect the account with another of its API keys, or extend this key’s expiration date.',
  },
  'service/no-credit-id': {
    status: 401,
    says: 'This requires the account’s credit ID, but only an API key is connected.',
    remedy: 'Connect the account with its credit ID too.',
  },
  'service/spending-cap': {
    status: 402,
    says: 'The API key’s spending cap is used up.',
    remedy: 'Raise the cap, wait for its reset, or use another key.',
  },
  'service/insufficient-balance': {
    status: 402,
    says: 'The account’s balance doesn’t cover this request.',
    remedy: 'Add funds to the account.',
  },
  'service/payment-required': {
    status: 402,
    says: 'The service requires payment for this request.',
    remedy: 'Pay its invoice, or connect an account with a balance in Sotto.',
  },
  'service/challenge-invalid': {
    status: 502,
    says: 'The service’s payment request can’t be read, so it wasn’t paid.',
    remedy: 'Connect an account to pay from its balance.',
  },
  'service/rate-limited': {
    status: 429,
    says: 'The service received too many requests.',
    remedy: 'Wait a moment and try again.',
  },
  'service/rejected': {
    status: 400,
    says: 'The service rejected the request.',
    remedy: 'Change the request as the service describes.',
  },
  'service/not-found': {
    status: 404,
    says: 'The service couldn’t find the requested item.',
    remedy: 'Check the name or ID. It may have expired.',
  },
  'service/not-offered': {
    status: 400,
    says: 'This service doesn’t support this.',
    remedy: 'Leave this out, or choose another service.',
  },
  'service/media-expired': {
    status: 404,
    says: 'The link to this result has expired.',
    remedy: 'Links last 24 hours. Generate it again.',
  },
  'service/foreign-address': {
    status: 502,
    says: 'The service returned an address that isn’t its own. Nothing was requested from it.',
    remedy: 'Try again. If this keeps happening, don’t trust this service’s replies.',
  },
  'service/unavailable': {
    status: 503,
    says: 'The service is unavailable.',
    remedy: 'Try again in a moment.',
  },
  'service/failed': {
    status: 502,
    says: 'The service failed.',
    remedy: 'Try again in a moment.',
  },
  'service/response-invalid': {
    status: 502,
    says: 'The service’s response has an unexpected format.',
    remedy: 'Try again. If this keeps happening, this service isn’t compatible with this version of Sotto.',
  },
  'profile/unknown': {
    status: 404,
    says: 'Service profile not found.',
    remedy: 'Choose one from the list.',
  },
  'document/not-offered': {
    status: 400,
    says: 'This service doesn’t convert documents.',
    remedy: 'Save the document as text or as a PDF with text, and use that.',
  },
  'document/kind': {
    status: 400,
    says: 'This file can’t be converted. Nothing was sent.',
    remedy: 'Choose a PDF, DOCX, PPTX, XLSX, or HTML file.',
  },
  'document/too-large': {
    status: 413,
    says: 'This document is larger than 25 MB, the limit for conversion. Nothing was sent.',
    remedy: 'Split it into smaller documents.',
  },
  'document/fee-not-accepted': {
    status: 400,
    says: 'Converting a document costs a fee, which wasn’t accepted. Nothing was sent.',
    remedy: 'Accept the fee, and try again.',
  },
  'document/no-text': {
    status: 422,
    says: 'The enclave found no text in this document. The conversion is charged anyway.',
    remedy: 'Run text recognition (OCR) in another program, and use its result.',
  },
  'self-test/unavailable': {
    status: 409,
    says: 'The self-test can’t start right now.',
    remedy: 'If one is already running, wait for it to finish, or stop it.',
  },
  'sandbox/off': {
    status: 409,
    says: 'Demo mode is off.',
    remedy: 'Choose demo mode as the service.',
  },
  'sandbox/route-fault': {
    status: 400,
    says: 'Demo mode doesn’t have this endpoint, or the endpoint can’t fail in that way.',
    remedy: 'Choose an endpoint and a fault listed in Settings.',
  },
} as const satisfies Record<string, ErrorEntry>
