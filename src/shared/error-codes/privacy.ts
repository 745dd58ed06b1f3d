import type { ErrorEntry } from './error-entry.ts'

/** Verification, sealing and consent. */
export const privacyErrors = {
  'privacy/plugins': {
    status: 400,
    says: 'Web search would send a private prompt unencrypted to a search engine.',
    remedy: 'Turn off web search, or use a model that isn’t private.',
  },
  'privacy/path': {
    status: 400,
    says: 'Private models support chat only.',
    remedy: 'Use the model in a chat, or choose a model that isn’t private.',
  },
  'privacy/earlier-response': {
    status: 400,
    says: 'The request continues a response that was sent more privately than this model allows. Nothing was sent.',
    remedy: 'Use the model of the earlier response, or start a new conversation in the tool.',
  },
  'privacy/revision': {
    status: 400,
    says: 'This service uses Revision A, which has no private models.',
    remedy: 'Choose a Revision B service, or a model that isn’t private.',
  },
  'privacy/consent-required': {
    status: 409,
    says: 'This chat is private, but the selected model isn’t.',
    remedy:
      'Start a new chat to use a model that the service can read. Or review what would be exposed, and allow it for one reply.',
  },
  'privacy/consent-missing': {
    status: 409,
    says: 'This chat is private, and this would expose part of it to the service. Nothing was sent.',
    remedy: 'Review what would be exposed, and allow it once.',
  },
  'privacy/consent-expired': {
    status: 409,
    says: 'Your one-time consent was already used or expired after five minutes. Nothing was sent.',
    remedy: 'Review what would be exposed, and allow it again.',
  },
  'privacy/consent-mismatch': {
    status: 409,
    says: 'Your consent was for a different chat, purpose, or model. Nothing was sent.',
    remedy: 'Review what would be exposed now, and allow that.',
  },
  'privacy/consent-changed': {
    status: 409,
    says: 'The content that would be exposed has changed since you reviewed it. Nothing was sent.',
    remedy: 'Review what would be exposed, and allow it again.',
  },
  'privacy/summary': {
    status: 409,
    says: 'This chat is private, so only a private model can summarize it. Nothing was sent.',
    remedy: 'Choose a private model, or leave out the oldest messages.',
  },
  'relay/unverified': {
    status: 502,
    says: 'The service’s own enclave failed verification. Nothing was sent.',
    remedy:
      'Open Privacy in Sotto to see the failed check. There you can also choose to send these chats visibly.',
  },
  'relay/unreachable': {
    status: 502,
    says: 'Couldn’t fetch the evidence of the service’s own enclave. Nothing was sent.',
    remedy:
      'Check your connection and try again. On the Privacy screen you can choose to send these chats visibly.',
  },
  'relay/unavailable': {
    status: 400,
    says: 'This service has no enclave of its own for chat.',
    remedy: 'Use a private model, or choose another service.',
  },
  'relay/no-image-waiting': {
    status: 409,
    says: 'This isn’t the image that the service’s enclave runs now.',
    remedy: 'Verify again, and look at the image that is shown then.',
  },
  'relay/provenance-refused': {
    status: 400,
    says: 'These files don’t prove where an image comes from. Nothing was changed.',
    remedy: 'Use PCR.json and its bundle exactly as they were published.',
  },
  'relay/too-large': {
    status: 413,
    says: 'The request is larger than 25 MiB, the limit of the service’s own enclave.',
    remedy: 'Send less at once: fewer or smaller attachments.',
  },
  'policy/missing': {
    status: 400,
    says: 'This service has no attestation policy for its enclave, so nothing can be sealed.',
    remedy: 'Choose a service with a policy, or use a model that isn’t private.',
  },
  'policy/no-provider-floor': {
    status: 409,
    says: 'The policy of this service names no lower firmware minimum of the provider.',
    remedy: 'Keep Sotto’s minimum.',
  },
  'policy/pins-exclude-all': {
    status: 409,
    says: 'Your pins exclude everything that this service’s policy accepts, so nothing can be sealed.',
    remedy: 'Remove pins on the Privacy screen in Sotto.',
  },
  'attestation/failed': {
    status: 502,
    says: 'The enclave failed verification. Nothing was sent.',
    remedy:
      'Open Privacy in Sotto to see the failed check. If this is confidential, don’t send it to a public model instead.',
  },
  'attestation/unreachable': {
    status: 502,
    says: 'Couldn’t fetch the enclave’s evidence. Nothing was sent.',
    remedy: 'Check your connection and try again.',
  },
  'attestation/evidence-too-large': {
    status: 502,
    says: 'The evidence is too large to be genuine. It wasn’t read, and nothing was sent.',
    remedy:
      'Try again later. If this keeps happening, the problem is with the service or something in front of it.',
  },
  'attestation/older-release': {
    status: 502,
    says: 'The enclave runs an older release than one accepted before. Nothing was sent.',
    remedy: 'Wait for the current release, or accept the older one on the Privacy screen in Sotto.',
  },
  'attestation/release-not-approved': {
    status: 502,
    says: 'The enclave runs a release you haven’t approved, and Sotto is set to require approval. Nothing was sent.',
    remedy: 'Open Privacy in Sotto, review what changed, and approve the release there. Then send again.',
  },
  'channel/crypto-unavailable': {
    status: 502,
    says: 'This computer’s cryptography failed its known-answer test. Nothing was sent.',
    remedy: 'Use a supported version of Node.js, or the desktop app.',
  },
  'channel/plaintext-response': {
    status: 502,
    says: 'The service sent an unencrypted reply where only the enclave should reply. The reply was discarded.',
    remedy: 'Try again. If it happens again, something between you and the enclave is replying in its place.',
  },
  'channel/key-rotated': {
    status: 502,
    says: 'The enclave uses a different key than its evidence names, so it couldn’t read the request.',
    remedy: 'Try again in a few minutes.',
  },
  'channel/tls-key-differs': {
    status: 502,
    says: 'The connection doesn’t end at the verified enclave. Nothing was sent.',
    remedy: 'Try again. If this keeps happening, something on your network is reading TLS connections.',
  },
  'channel/response-invalid': {
    status: 502,
    says: 'The enclave’s reply couldn’t be decrypted because it was changed in transit.',
    remedy: 'Try again.',
  },
  'channel/response-truncated': {
    status: 502,
    says: 'The enclave’s reply was cut off in transit.',
    remedy: 'The partial reply is saved. Send again to get a complete one.',
  },
  'privacy/no-release-waiting': {
    status: 409,
    says: 'This release isn’t waiting for your approval.',
    remedy: 'Verify again, and check which release it runs now.',
  },
  'privacy/measurement-unknown': {
    status: 409,
    says: 'Only a measurement that Sotto has verified can be pinned.',
    remedy: 'Verify the enclave, and pin the measurement it shows.',
  },
} as const satisfies Record<string, ErrorEntry>
