/** What a step does not prove, beside what it does. By step; `limitOf` knows the steps of a kind. */
const ofStep: Readonly<Record<string, string>> = {
  'evidence/document': 'Form alone: nothing in it is believed yet.',
  'evidence/format': 'Form alone: that it is of this platform is shown by the signatures below.',
  'evidence/report': 'Form alone: nothing in it is believed yet.',
  'report/layout': 'Form alone: nothing in it is believed yet.',
  'quote/layout': 'Form alone: nothing in it is believed yet.',
  'nitro/message': 'Form alone: nothing in it is believed yet.',
  'nitro/document': 'Form alone: nothing in it is believed yet.',
  'vcek/form': 'Who issued it: the steps below show that.',
  'vcek/product': 'That processors of this kind have no fault that nobody knows yet.',
  'vcek/chip': 'Whose machine it is, or where it stands.',
  'vcek/tcb': 'That this firmware has no fault that nobody knows yet.',
  'pck/certificates': 'Who issued them: the steps below show that.',
  'pck/form': 'Whose machine it is, or where it stands.',
  'report/signature': 'When it was signed. A genuine report can be shown again.',
  'report/signer': 'Whose machine it is, or where it stands.',
  'report/migration': 'That the code inside is sound: only how it was started.',
  'report/guest-policy': 'That the code inside is sound: only how it was started.',
  'report/vmpl': 'That the code inside is sound: only from where it asked for the report.',
  'report/platform': 'That nobody who has the machine in hand tampers with its memory or its bus.',
  'quote/signature': 'When it was signed. A genuine quote can be shown again.',
  'quote/qe-report': 'When it was signed. A genuine quote can be shown again.',
  'quote/attestation-key': 'That the quoting enclave has no fault that nobody knows yet.',
  'intel/collateral': 'That these are Intel’s newest answers: the service brings them, and may bring older ones until they end.',
  'intel/platform': 'That machines of this kind have no fault that nobody knows yet.',
  'intel/quoting-enclave': 'That the quoting enclave has no fault that nobody knows yet.',
  'nitro/signature': 'When it was signed, and for whom: that is for time and nonce.',
  'nitro/time': 'That it was made for you: that is for the nonce.',
  'nitro/nonce': 'That whoever passed it on is honest: only that it was made for this question.',
  'nitro/image': 'What the code of that image does, or who built it: the policy names its measurement and nothing else.',
  'nitro/keys': 'That the enclave keeps the secret halves to itself: that follows from its code alone.',
  'certificate/form': 'Who issued it: its names and dates are the service’s word.',
  'certificate/chain': 'Nothing: it is not verified. The hardware attests the key itself, and no other key is sealed to.',
  'certificate/validity': 'More than the service’s word: only the key of this certificate is attested. The time is that of this machine’s clock.',
  'certificate/host': 'More than the service’s word: only the key of this certificate is attested.',
  'binding/tls-key': 'That the enclave keeps the secret half to itself: that follows from its code alone.',
  'binding/hpke-key': 'That the enclave keeps the secret half to itself: that follows from its code alone.',
  'binding/host': 'That the machine is the one behind this name: the name is the service’s word.',
  'binding/document': 'When the certificate was issued, or by whom.',
  'hardware/statement': 'That the virtual hardware is sound: only who listed it, and where that was written down.',
  'hardware/match': 'Which physical machine it is: only how the virtual one was put together.',
  'measurement/match': 'What that code does with what it reads. Its source can be read; that somebody did is no part of this.',
  'measurement/pinned': 'That what you pinned is sound.',
  'release/pinned': 'That what you pinned is sound.',
  'release/not-older': 'That it is the newest there is: only that none newer was accepted here.',
  'release/trusted': 'That the release is sound: only that it is not new to you.',
  'sigstore/trust-root': 'That these roots are the newest: they are as old as this version of Sotto.',
  'sigstore/timestamp': 'That the enclave runs since then: it is the age of the release.',
  'sigstore/log': 'That anybody looked at what was logged: only that it cannot be denied.',
}

const UNKNOWN_FAULTS = 'That this firmware has no fault that nobody knows yet.'
const ISSUED = 'Whose machine it is, or where it stands: only that its maker issued the certificate.'

const ofKind: readonly (readonly [RegExp, string])[] = [
  [/^(amd|intel|nitro)\/root$/, 'That the maker of the hardware is honest, and that nobody else holds its root key.'],
  [/^(amd\/intermediate|intel\/intermediate|vcek\/chain|pck\/chain|nitro\/chain)$/, ISSUED],
  [/^(amd\/revocation|intel\/(root|pck)-crl)$/, 'That nothing was revoked since the list was made: the service brings it, and may bring an older one until it ends.'],
  [/^(vcek|pck)\/validity$|^nitro\/chain-validity$/, 'That it was not revoked meanwhile. The time is that of this machine’s clock.'],
  [/^(report|td|nitro)\/debug$/, 'That the code inside keeps what it reads to itself: only that its host cannot look in this way.'],
  [/^report\/(tcb|committed-firmware|firmware-version)$|^td\/(tcb|module)$|^intel\/(module|tcb-level|quoting-enclave-level|evaluation)$/, UNKNOWN_FAULTS],
  [/^intel\/(tcb-info|qe-identity)(-validity)?$/, 'That Intel has not said otherwise since: the service brings it, and may bring an older one until it ends.'],
  [/^td\//, 'That the code inside is sound: only how it was started.'],
  [/^sigstore\//, 'What the released code does, or that its owners are honest: only who built it from what, and where that was written down.'],
]

/** Undefined for a step that this version does not know. */
export function limitOf(step: string): string | undefined {
  return ofStep[step] ?? ofKind.find(([kind]) => kind.test(step))?.[1]
}
