import type { ErrorEntry } from './error-entry.ts'

/** Payments, wallets, accounts and top-ups. */
export const paymentErrors = {
  'payment/not-available': {
    status: 402,
    says: 'No account is connected, and this can’t be paid per request. Nothing was sent.',
    remedy: 'Connect an account with a balance in Sotto.',
  },
  'payment/unknown': {
    status: 404,
    says: 'Payment not found.',
    remedy: 'Reopen the Wallet in Sotto to see the current list.',
  },
  'payment/invoice-invalid': {
    status: 502,
    says: 'The service’s invoice can’t be read, so it wasn’t paid.',
    remedy: 'Try again later. Nothing was paid.',
  },
  'payment/wrong-network': {
    status: 502,
    says: 'The invoice is for a different network than this service’s, so it wasn’t paid.',
    remedy: 'Check which service is selected. Nothing was paid.',
  },
  'payment/no-amount': {
    status: 502,
    says: 'The invoice has no amount, so it could charge anything. It wasn’t paid.',
    remedy: 'Try again later. Nothing was paid.',
  },
  'payment/wrong-amount': {
    status: 502,
    says: 'The invoice amount differs from the quote, so it wasn’t paid.',
    remedy: 'Try again later. Nothing was paid.',
  },
  'payment/wrong-hash': {
    status: 502,
    says: 'The invoice doesn’t match the payment hash from the service, so it wasn’t paid.',
    remedy: 'Try again later. Nothing was paid.',
  },
  'payment/wrong-digest': {
    status: 502,
    says: 'The invoice is for a different request than the one sent, so it wasn’t paid.',
    remedy: 'Try again later. Nothing was paid.',
  },
  'payment/above-listing': {
    status: 502,
    says: 'The invoice is for more than the listed price, so it wasn’t paid.',
    remedy: 'Check the service’s prices and try again. Nothing was paid.',
  },
  'payment/expired': {
    status: 402,
    says: 'The invoice has expired or is about to. It wasn’t paid.',
    remedy: 'Request a new one.',
  },
  'payment/over-limit': {
    status: 402,
    says: 'The payment is above a limit that you set. Nothing was paid.',
    remedy: 'Raise the limit in Sotto’s Wallet, or wait until the daily limit resets.',
  },
  'payment/already-paid': {
    status: 409,
    says: 'This invoice was already paid, or may have been. It won’t be paid again.',
    remedy: 'Open the payment in Sotto’s Wallet. You can retry delivery of a paid purchase there.',
  },
  'payment/in-progress': {
    status: 409,
    says: 'The payment is in progress and can’t be canceled.',
    remedy: 'Wait until the wallet reports the outcome. You won’t pay twice.',
  },
  'payment/payer-busy': {
    status: 503,
    says: 'Another replica of Sotto is paying. Nothing was paid for this request.',
    remedy: 'Send the request again in a few seconds.',
  },
  'payment/unresolved': {
    status: 402,
    says: 'The wallet hasn’t reported yet whether it paid. Sotto will check again and won’t pay twice.',
    remedy: 'Check the payment in Sotto’s Wallet. Don’t send the request again until its outcome is shown.',
  },
  'payment/refused': {
    status: 402,
    says: 'The payment wasn’t confirmed. Nothing was paid.',
    remedy: 'Try again, and confirm when Sotto asks.',
  },
  'payment/confirmation-required': {
    status: 402,
    says: 'A person must confirm this payment first. Nothing was paid.',
    remedy:
      'Buy something from this service once in Sotto’s Wallet, or raise the limit for paying without asking.',
  },
  'payment/paused': {
    status: 402,
    says: 'Sotto paused automatic payments after repeated failures. Nothing was paid.',
    remedy: 'Review recent payments in Sotto’s Wallet, and resume automatic payments there.',
  },
  'payment/invalid-preimage': {
    status: 400,
    says: 'This preimage doesn’t prove that the invoice was paid.',
    remedy: 'Copy this invoice’s preimage (proof of payment) from the wallet that paid it.',
  },
  'payment/undelivered': {
    status: 502,
    says: 'The payment succeeded, but the service didn’t deliver. The proof of payment is saved.',
    remedy:
      'Choose “Retry delivery” in Sotto’s Wallet. You won’t pay again. If that fails, export the proof and make a claim.',
  },
  'payment/credential-refused': {
    status: 502,
    says: 'The payment succeeded, but the service rejected the proof of payment. The proof is saved.',
    remedy: 'Retry delivery in Sotto’s Wallet, or export the proof and make a claim with the service.',
  },
  'payment/cannot-close': {
    status: 409,
    says: 'Only a payment with an unknown outcome, or one that wasn’t delivered, can be ended.',
    remedy: 'Check the purchase in Sotto’s Wallet.',
  },
  'payment/abandoned': {
    status: 409,
    says: 'Retrying was stopped for this purchase, so it won’t be requested again.',
    remedy: 'You can still export the proof and make a claim with the service.',
  },
  'payment/closed-by-user': {
    status: 409,
    says: 'You closed this payment. Whether it was paid isn’t known.',
    remedy: 'Check your wallet’s history. If it was paid, enter the preimage in Sotto’s Wallet.',
  },
  'payment/nothing-delivered': {
    status: 409,
    says: 'Nothing has been delivered for this payment yet.',
    remedy: 'Wait for the delivery, or retry it in Sotto’s Wallet.',
  },
  'wallet/not-connected': {
    status: 402,
    says: 'No Lightning wallet is connected. Nothing was paid.',
    remedy: 'Connect one in Sotto’s Wallet, or pay the invoice there with another wallet.',
  },
  'wallet/connection-invalid': {
    status: 400,
    says: 'This isn’t a usable wallet connection.',
    remedy:
      'Copy the full connection string (nostr+walletconnect://…) from your wallet. It must include a secret and a relay that begins with wss://.',
  },
  'wallet/unreachable': {
    status: 502,
    says: 'The wallet isn’t responding.',
    remedy: 'Check that the wallet is running and online, then try again.',
  },
  'wallet/cannot-pay': {
    status: 400,
    says: 'This connection doesn’t have permission to pay invoices.',
    remedy: 'In your wallet, create a connection that can pay, with its own budget.',
  },
  'wallet/encryption': {
    status: 400,
    says: 'This wallet supports only an encryption method that’s no longer secure (NIP-04).',
    remedy: 'Update the wallet, or connect one that supports NIP-44.',
  },
  'wallet/insufficient-balance': {
    status: 402,
    says: 'The wallet’s balance doesn’t cover this payment and its fee. Nothing was paid.',
    remedy: 'Add funds to the wallet, or pay with another one.',
  },
  'wallet/budget-exceeded': {
    status: 402,
    says: 'The wallet’s budget for this connection is used up. Nothing was paid.',
    remedy: 'Raise the connection’s budget in your wallet, or wait until it resets.',
  },
  'wallet/refused': {
    status: 402,
    says: 'The wallet refused to pay. Nothing was paid.',
    remedy: 'Check the wallet for the reason. Its connection to Sotto may have been removed or limited.',
  },
  'wallet/rate-limited': {
    status: 429,
    says: 'The wallet received too many requests. Nothing was paid.',
    remedy: 'Try again in a moment.',
  },
  'wallet/payment-failed': {
    status: 402,
    says: 'The wallet couldn’t find a payment route. Nothing was paid.',
    remedy: 'Try again later, or pay with another wallet.',
  },
  'wallet/in-use': {
    status: 409,
    says: 'A payment from this wallet is in progress.',
    remedy: 'Wait until it finishes, then disconnect the wallet.',
  },
  'wallet/same-connection': {
    status: 400,
    says: 'Sotto already pays with this connection. The service needs its own.',
    remedy: 'Create a second connection in your wallet, with a small budget, for the service only.',
  },
  'account/unknown': {
    status: 404,
    says: 'Account not found.',
    remedy: 'Reopen the Wallet in Sotto to see the current list.',
  },
  'account/already-exists': {
    status: 409,
    says: 'This account has already been added.',
    remedy: 'Choose it in the list of accounts.',
  },
  'account/backup-invalid': {
    status: 400,
    says: 'This isn’t an account backup, or it’s damaged.',
    remedy: 'Choose the original file saved by Sotto.',
  },
  'account/backup-passphrase': {
    status: 400,
    says: 'The passphrase doesn’t unlock this backup.',
    remedy: 'Enter the passphrase that the backup was saved with.',
  },
  'topup/unknown': {
    status: 404,
    says: 'Top-up not found.',
    remedy: 'Reopen the Wallet in Sotto to see the current list.',
  },
  'topup/amount-out-of-range': {
    status: 400,
    says: 'The amount is outside the service’s limits for this payment method.',
    remedy: 'Choose an amount within the limits shown.',
  },
  'topup/invoice-invalid': {
    status: 502,
    says: 'The service’s invoice doesn’t match the request, so it isn’t shown for payment.',
    remedy: 'Create another one. Nothing was paid.',
  },
  'topup/pending': {
    status: 409,
    says: 'This invoice can still be paid, so it stays on the list.',
    remedy: 'Wait until it expires.',
  },
} as const satisfies Record<string, ErrorEntry>
