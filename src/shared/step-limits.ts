/** The limits of what a step proves, by step; `limitOf` handles kinds of steps. */
const ofStep: Readonly<Record<string, string>> = {
  'evidence/document': 'Whether the contents are true. This step checks only the format.',
  'evidence/format':
    'Whether it comes from this platform. This step checks only the format; the signatures below show the rest.',
  'evidence/report': 'Whether the contents are true. This step checks only the format.',
  'report/layout': 'Whether the contents are true. This step checks only the format.',
  'quote/layout': 'Whether the contents are true. This step checks only the format.',
  'nitro/message': 'Whether the contents are true. This step checks only the format.',
  'nitro/document': 'Whether the contents are true. This step checks only the format.',
  'vcek/form': 'Who issued it. The steps below show that.',
  'vcek/product': 'That this type of processor has no undiscovered flaws.',
  'vcek/chip': 'Who owns the server, or where it is.',
  'vcek/tcb': 'That this firmware has no undiscovered flaws.',
  'pck/certificates': 'Who issued them. The steps below show that.',
  'pck/form': 'Who owns the server, or where it is.',
  'report/signature': 'When it was signed. A genuine report can be replayed.',
  'report/signer': 'Who owns the server, or where it is.',
  'report/migration': 'That the code inside is sound. This shows only how it was started.',
  'report/guest-policy': 'That the code inside is sound. This shows only how it was started.',
  'report/identity':
    'That the code inside is sound. This shows only that its owner passed it no other settings at launch.',
  'report/vmpl':
    'That the code inside is sound. This shows only the privilege level that requested the report.',
  'report/platform': 'That no one with physical access tampers with the server’s memory or bus.',
  'quote/signature': 'When it was signed. A genuine quote can be replayed.',
  'quote/qe-report': 'When it was signed. A genuine quote can be replayed.',
  'quote/attestation-key': 'That the quoting enclave has no undiscovered flaws.',
  'intel/collateral':
    'That this is Intel’s newest data. The service supplies it. Sotto refuses an older evaluation than it has seen.',
  'intel/platform': 'That this type of server has no undiscovered flaws.',
  'intel/quoting-enclave': 'That the quoting enclave has no undiscovered flaws.',
  'nitro/signature': 'When it was signed, and for whom. The time and nonce show that.',
  'nitro/time': 'That it was created for you. The nonce shows that.',
  'nitro/nonce': 'That the sender is honest. This shows only that it was created for this request.',
  'nitro/image': 'What the image’s code does, or who built it. The policy specifies only its measurement.',
  'nitro/keys': 'That the enclave keeps the private keys secret. That depends only on its code.',
  'service-enclave/answer': 'Whether the contents are true. This step checks only the format.',
  'service-enclave/age': 'That the enclave still runs. The time is from this computer’s clock.',
  'service-enclave/image-record': 'Anything beyond the service’s claim. The record isn’t signed.',
  'service-enclave/image': 'What the image’s code does, or that it was built from the published source.',
  'service-enclave/encryption-key':
    'Anything: Sotto seals only to the attested key. A difference shows that someone changed the answer.',
  'service-enclave/tls-key':
    'That the connection ends at the enclave. This key only verifies the enclave’s routing receipts.',
  'service-enclave/connection':
    'Anything: it isn’t verified. Anyone who ends the connection sees only sealed requests, the API key and metadata.',
  'certificate/form': 'Who issued it. Its names and dates are the service’s claims.',
  'certificate/chain':
    'Anything: it isn’t verified. The hardware attests the key itself, and Sotto seals to no other key.',
  'certificate/validity':
    'Anything beyond the service’s claim. Only this certificate’s key is attested. The time is from this computer’s clock.',
  'certificate/host': 'Anything beyond the service’s claim. Only this certificate’s key is attested.',
  'binding/tls-key': 'That the enclave keeps the private key secret. That depends only on its code.',
  'binding/hpke-key': 'That the enclave keeps the private key secret. That depends only on its code.',
  'binding/host': 'That the server is the one behind this name. The name is the service’s claim.',
  'binding/document': 'When the certificate was issued, or by whom.',
  'hardware/statement':
    'That the virtual hardware is sound. This shows only who listed it, and where that was recorded.',
  'hardware/match': 'Which physical server it is. This shows only how the virtual one was configured.',
  'measurement/match':
    'What the code does with the data it reads. Its source can be read, but this doesn’t show that anyone has reviewed it.',
  'measurement/pinned': 'That what you pinned is sound.',
  'release/pinned': 'That what you pinned is sound.',
  'release/minimum-log-time':
    'That it’s the newest release, or that the enclave started recently. This is only the age of its release.',
  'release/not-older': 'That it’s the newest release. Sotto only checks that it hasn’t accepted a newer one.',
  'release/trusted': 'That the release is sound. This shows only that it isn’t new to you.',
  'v3/document': 'Whether the contents are true. This step checks only the format.',
  'v3/nonce': 'Who wrote it. Anyone can copy the number; the hardware’s signature below shows the rest.',
  'v3/hashes': 'Who computed the hashes. The hardware’s signature below shows that.',
  'v3/code':
    'What the release’s code does, or that its owners are honest. This shows only who built it, from what, and where that was recorded.',
  'v3/code-freshness':
    'That it’s the newest release, or that it has no undiscovered flaws. Each confirmation counts for seven days.',
  'v3/platform':
    'That the listed servers are well guarded. This shows only who signed the list, and where that was recorded.',
  'v3/platform-freshness': 'That the list hasn’t changed since. Each confirmation counts for seven days.',
  'v3/hardware': 'When it was signed, and on which server. The steps below show that.',
  'v3/signed':
    'That no one extracted the hardware’s signing key, with which anyone could answer from any place.',
  'v3/machine':
    'That no one with physical access tampers with this server. This shows only that its publisher listed it.',
  'v3/measurement':
    'What the code does with the data it reads. Its source can be read, but this doesn’t show that anyone has reviewed it.',
  'v3/settings': 'That the code inside is sound. This shows only how it was started.',
  'v3/keys': 'That the enclave keeps the private keys secret. That depends only on its code.',
  'v3/same-enclave':
    'That the connection ends at this server. The service is in between; only sealing to the attested key protects the request.',
  'v3/devices':
    'Anything: Sotto doesn’t judge them. The hardware signed what they reported, so no one changed it on the way.',
  'tls/connection':
    'Which connection the evidence came over. Sotto compares the key before each request and sends nothing over another connection.',
  'sigstore/trust-root': 'That these roots are the newest. They’re as old as this version of Sotto.',
  'sigstore/timestamp': 'That the enclave has been running since then. This is the release’s age.',
  'sigstore/log': 'That anyone reviewed the logged entry. The log only makes it undeniable.',
}

const UNKNOWN_FAULTS = 'That this firmware has no undiscovered flaws.'
const ISSUED = 'Who owns the server, or where it is. This shows only that its maker issued the certificate.'

const ofKind: readonly (readonly [RegExp, string])[] = [
  [/^(amd|intel|nitro)\/root$/, 'That the hardware maker is honest, and that no one else has its root key.'],
  [/^(amd\/intermediate|intel\/intermediate|vcek\/chain|pck\/chain|nitro\/chain)$/, ISSUED],
  [
    /^(amd\/revocation|intel\/(root|pck)-crl)$/,
    'That nothing was revoked after the list was created. Sotto uses the newest list that it has seen.',
  ],
  [
    /^(vcek|pck)\/validity$|^nitro\/chain-validity$/,
    'That it hasn’t been revoked since. The time is from this computer’s clock.',
  ],
  [
    /^(report|td|nitro)\/debug$/,
    'That the code inside keeps data private. This shows only that its host can’t look in this way.',
  ],
  [
    /^report\/(tcb|committed-firmware|firmware-version)$|^td\/(tcb|module)$|^intel\/(module|tcb-level|quoting-enclave-level|evaluation)$|^v3\/firmware$/,
    UNKNOWN_FAULTS,
  ],
  [
    /^intel\/(tcb-info|qe-identity)(-validity)?$/,
    'That Intel hasn’t changed this since. The service supplies it, and can supply an older one until it expires.',
  ],
  [/^td\//, 'That the code inside is sound. This shows only how it was started.'],
  [
    /^sigstore\//,
    'What the release’s code does, or that its owners are honest. This shows only who built it, from what, and where that was recorded.',
  ],
]

/** Undefined for a step that this version does not know. */
export function limitOf(step: string): string | undefined {
  return ofStep[step] ?? ofKind.find(([kind]) => kind.test(step))?.[1]
}
