import type { NitroPolicy } from '../policy.ts'
import { msg } from '../message.ts'
import { nitroMeasurement } from '../measurement.ts'
import { Authenticated, fail, passUnless, Steps } from '../steps.ts'
import { isoTime } from '../text.ts'
import { validityFinding } from '../validity.ts'
import { isCoseSignedBy } from './cose-sign1.ts'
import { checkChain, checkNonce, checkRoot, readContent, readMessage, timeFault } from './document-checks.ts'
import type { NitroDocument } from './document.ts'
import { checkDebug, checkImage, readKeys } from './image-checks.ts'

export interface DocumentInput {
  /** The COSE_Sign1 message, unpacked. */
  readonly document: Uint8Array
  /** DER of AWS's root. */
  readonly root: Uint8Array
  /** Unix ms. */
  readonly now: number
  /** The nonce of the request. Without one, the document may be a replay. */
  readonly nonce?: Uint8Array | undefined
}

export interface NitroInput extends DocumentInput {
  readonly policy: NitroPolicy
}

/** An authenticated document, and when the first of the certificates that authenticate it ends (Unix ms). */
export interface NitroEvidence {
  readonly document: NitroDocument
  readonly notAfter: number
}

/**
 * AWS's chain to the machine's certificate, its signature, time and nonce, in the order of AWS's own description: form, chain, signature,
 * then the signed content. Each failure has its own code `nitro/…`. AWS publishes no revocation list ("We do not use CRL"): the leaf lives
 * three hours instead.
 *
 * @param nonceIsGiven without a nonce, the step `nitro/nonce` can't pass
 */
function documentSteps(nonceIsGiven: boolean) {
  return Steps.of<DocumentInput>()
    .add({
      id: 'nitro/message',
      title: 'Evidence is one signed message in the expected format',
      run: ({ document }) => readMessage(document),
    })
    .add({
      id: 'nitro/document',
      title: 'Signed content is an attestation document',
      run: ({ message }) => readContent(message),
    })
    .add({
      id: 'nitro/root',
      title: 'AWS root certificate is the one Sotto trusts',
      run: ({ parsed, root }) => checkRoot(parsed, root),
    })
    .add({
      id: 'nitro/chain',
      title: 'Server’s certificate was issued by AWS',
      run: ({ parsed, anchor }) => checkChain(parsed, anchor),
    })
    .add({
      id: 'nitro/chain-validity',
      title: 'All certificates were valid when the document was created',
      run: ({ parsed: { timestamp }, chain }) =>
        validityFinding(chain, timestamp, {
          'not-yet-valid': 'nitro/certificate-not-valid-then',
          expired: 'nitro/certificate-not-valid-then',
        }),
    })
    .add({
      id: 'nitro/signature',
      title: 'Document is signed by the server',
      run({ message, parsed, chain }) {
        const expected = msg('a signature by the certified key')
        if (!isCoseSignedBy(message, chain.key))
          return fail('nitro/signature-invalid', expected, msg('an invalid signature'))
        return Authenticated.signed(expected, expected, parsed, (signed) => ({ signed }))
      },
    })
    .add({
      id: 'nitro/time',
      title: 'Document was created in the past and its certificates are still valid',
      run: ({ signed, chain: { notBefore, notAfter }, now }) =>
        passUnless(
          timeFault(signed.value.timestamp, notAfter, now),
          msg('created by {time} and still valid', { time: isoTime(now) }),
          msg('created at {time}, valid from {from} to {to}', {
            time: isoTime(signed.value.timestamp),
            from: isoTime(notBefore),
            to: isoTime(notAfter),
          }),
        ),
    })
    .add({
      id: 'nitro/nonce',
      title: 'Document was created for this request',
      required: nonceIsGiven,
      run({ signed, chain: { notAfter }, nonce }) {
        const evidence: NitroEvidence = { document: signed.value, notAfter }
        const hardware = signed.map(({ pcrs, timestamp }) => ({
          platform: 'AWS Nitro',
          measurement: nitroMeasurement(pcrs),
          notAfter,
          nonceBound: nonce !== undefined,
          signedAt: timestamp,
        }))
        return { ...checkNonce(signed.value.nonce, nonce), added: { evidence, hardware } }
      },
    })
    .note(({ hardware }) => ({ hardware }))
}

/** The steps of a document that was created for a nonce. */
export const nonceBoundSteps = documentSteps(true)

interface Signed {
  readonly signed: Authenticated<NitroDocument>
}

export const debugSteps = Steps.of<Signed>().add({
  id: 'nitro/debug',
  title: 'Enclave debugging is disabled',
  run: ({ signed }) => checkDebug(signed.value),
})

const imageSteps = Steps.of<Signed & Pick<NitroInput, 'policy'>>().add({
  id: 'nitro/image',
  title: 'Enclave image is named in the policy',
  run: ({ signed, policy }) => checkImage(signed.value, policy),
})

export const nitroKeySteps = Steps.of<Signed>()
  .add({
    id: 'nitro/keys',
    title: 'Document contains the enclave’s encryption key and names its TLS key',
    run({ signed }) {
      const { added, ...finding } = readKeys(signed.value)
      return { ...finding, added: { keys: signed.map(() => added) } }
    },
  })
  .note(({ keys }) => ({ keys }))

const ofNitro = (nonceIsGiven: boolean) =>
  Steps.of<NitroInput>().append(documentSteps(nonceIsGiven)).append(debugSteps).append(imageSteps)
const withNonce = ofNitro(true)
const withoutNonce = ofNitro(false)

/** Verifies an attestation document of AWS Nitro: the document, then its image against the policy. */
export const nitroSteps = (nonceIsGiven: boolean) => (nonceIsGiven ? withNonce : withoutNonce)
