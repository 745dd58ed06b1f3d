import type { ErrorCode } from '../error-codes.ts'
import type { ToolText } from '../error-codes/error-entry.ts'

/** The texts for tools about payments, the service and releases. */
export const paymentTexts = {
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
  'payment/in-progress': {
    says: 'The payment is in progress and cannot be canceled.',
    remedy: 'Wait until the wallet reports the outcome. Nothing is paid twice.',
  },
  'payment/payer-busy': 'same',
  'payment/unresolved': {
    says: 'The wallet has not reported yet whether it paid. Sotto checks again and does not pay twice.',
    remedy: 'Check the payment in Sotto. Do not retry the request before its outcome is known.',
  },
  'payment/refused': {
    says: 'The payment was not confirmed. Nothing was paid.',
    remedy: 'Retry, and confirm the payment when Sotto asks.',
  },
  'payment/confirmation-required': {
    says: 'A person must confirm this payment in Sotto first. Nothing was paid.',
    remedy: 'Buy something from this service once in Sotto, or raise its limit for paying without asking.',
  },
  'payment/paused': {
    says: 'Sotto paused automatic payments after repeated failures. Nothing was paid.',
    remedy: 'Review recent payments in Sotto, and resume automatic payments there.',
  },
  'payment/invalid-preimage': {
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
  'payment/cannot-close': {
    says: 'Only a payment with an unknown outcome, or one that wasn’t delivered, can be ended.',
    remedy: 'Check the purchase in Sotto.',
  },
  'payment/abandoned': 'same',
  'payment/closed-by-user': {
    says: 'A person closed this payment. Whether it was paid is not known.',
    remedy: 'Check the wallet before you pay again.',
  },
  'payment/nothing-delivered': {
    says: 'Nothing has been delivered for this payment yet.',
    remedy: 'Wait for the delivery, or retry it in Sotto.',
  },
  'wallet/not-connected': {
    says: 'No Lightning wallet is connected. Nothing was paid.',
    remedy: 'Connect one in Sotto.',
  },
  'wallet/connection-invalid': 'same',
  'wallet/unreachable': 'same',
  'wallet/cannot-pay': 'same',
  'wallet/encryption': 'same',
  'wallet/insufficient-balance': 'same',
  'wallet/budget-exceeded': 'same',
  'wallet/refused': 'same',
  'wallet/rate-limited': 'same',
  'wallet/payment-failed': 'same',
  'wallet/in-use': 'same',
  'wallet/same-connection': 'same',
  'service/unreachable': {
    says: 'The service cannot be reached.',
    remedy: 'Check the network connection and retry.',
  },
  'service/interrupted': { says: 'The reply stopped early.', remedy: 'Retry to get a complete one.' },
  'service/timeout': { says: 'The service stopped responding.', remedy: 'Retry.' },
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
  'service/insufficient-balance': 'same',
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
  'service/media-expired': 'same',
  'service/foreign-address': 'same',
  'service/unavailable': 'same',
  'service/failed': 'same',
  'service/response-invalid': 'same',
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
} as const satisfies Partial<Record<ErrorCode, ToolText>>
