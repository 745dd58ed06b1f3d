import { hash } from 'node:crypto'
import { msg } from '../message.ts'
import { debugSteps, nitroKeySteps, nonceBoundSteps, type NitroDocument } from '../nitro/index.ts'
import type { ImageRule } from '../policy.ts'
import type { AttestedKeys } from '../report-data.ts'
import { fail, notChecked, passUnless, Steps, type Authenticated, type Finding } from '../steps.ts'
import { isoTime, toHex } from '../text.ts'
import { readAnswer, type Answer } from './answer.ts'
import { checkAcceptance, checkRecord } from './image-checks.ts'
import type { ImageAcceptance, ImageRecord, ServiceEnclaveInput } from './types.ts'

/** The enclave creates a document for each nonce, so a genuine one is seconds old. The rest is for clocks that differ. */
const MAX_AGE_MS = 5 * 60_000
const NONCE_BYTES = 32
const PCR_BYTES = 48

export const answerSteps = Steps.of<Pick<ServiceEnclaveInput, 'answer'>>().add({
  id: 'service-enclave/answer',
  title: 'Enclave’s answer has the expected format',
  run: ({ answer }) => readAnswer(answer),
})

type Input = Omit<ServiceEnclaveInput, 'answer'> & { readonly read: Answer }

/** The document and its time, and that the enclave isn't in debug mode. */
const beforeImage = Steps.of<Input>()
  .include(
    nonceBoundSteps,
    ({ read, nonce, trust, now }) => {
      // A short nonce could be guessed, and an empty one equals that of a document for no request.
      if (nonce.length !== NONCE_BYTES) throw new Error('a nonce has 32 bytes')
      // Without a root, no document begins with it.
      return { document: read.document, root: trust.awsNitroRoot ?? new Uint8Array(), now, nonce }
    },
    ({ signed }) => ({ signed }),
  )
  .add({
    id: 'service-enclave/age',
    title: 'Document was created within the last five minutes',
    run: ({ signed, now }) => checkAge(signed.value, now),
  })
  .append(debugSteps)
  .note(({ signed }) => pcr0Of(signed))

/** Only by the rule `published` does the service's record count. */
const recordSteps = Steps.of<Input>()
  .add({
    id: 'service-enclave/image-record',
    title: 'Service’s record of its images is readable and not outdated',
    claim: true,
    run({ images, now }) {
      if (images.rule !== 'published') throw new Error('the record counts only by the rule published')
      return checkRecord(images, now)
    },
  })
  .note(({ record }) => ({ record }))

interface ImageInput {
  readonly signed: Authenticated<NitroDocument>
  readonly images: ImageAcceptance
  readonly record?: ImageRecord
}

const imageSteps = Steps.of<ImageInput>()
  .add({
    id: 'service-enclave/image',
    title: 'Enclave runs an accepted image',
    run: ({ signed, images, record }) => checkAcceptance(pcr0Of(signed).pcr0?.value, images, record),
  })
  .note(({ image }) => ({ image }))

/** @param tlsKeyIsThere older images don't send the TLS key */
function keySteps(tlsKeyIsThere: boolean) {
  return Steps.of<Pick<Input, 'read'> & { readonly signed: Authenticated<NitroDocument> }>()
    .append(nitroKeySteps)
    .add({
      id: 'service-enclave/encryption-key',
      title: 'Answer states the attested encryption key',
      claim: true,
      run({ keys, read: { hpkePublicKey: stated } }) {
        const attested = toHex(keys.value.hpkePublicKey)
        return passUnless(stated === attested ? undefined : 'service-enclave/key-differs', attested, stated)
      },
    })
    .add({
      id: 'service-enclave/tls-key',
      title: 'Answer contains the attested TLS key',
      required: tlsKeyIsThere,
      run: ({ keys, read }) => checkTlsKey(read, keys.value),
    })
    .note(({ read: { tlsKey } }) => (tlsKey ? { tlsKey } : {}))
    .add({
      id: 'service-enclave/connection',
      title: 'Connection uses the attested TLS key',
      required: false,
      // A TLS proxy can end the connection. It reads only sealed requests and metadata.
      run: ({ keys }) =>
        notChecked(
          toHex(keys.value.tlsKeyFingerprint),
          msg('requests are sealed to the attested encryption key instead'),
        ),
    })
}

/**
 * The steps after the answer was read: the document and its time, the image, the keys.
 *
 * @param rule decides which images are accepted
 */
export function serviceEnclaveSteps(rule: ImageRule, tlsKeyIsThere: boolean) {
  const keys = keySteps(tlsKeyIsThere)
  return rule === 'published'
    ? beforeImage.append(recordSteps).append(imageSteps).append(keys)
    : beforeImage.append(imageSteps).append(keys)
}

/** A document ahead of this clock is refused by `nitro/time`, with the same tolerance. */
function checkAge({ timestamp }: NitroDocument, now: number): Finding {
  const old = now - timestamp > MAX_AGE_MS
  return passUnless(
    old ? 'service-enclave/document-old' : undefined,
    msg('created at {time} or later', { time: isoTime(now - MAX_AGE_MS) }),
    msg('created at {time}', { time: isoTime(timestamp) }),
  )
}

/** Undefined if the register isn't there or doesn't have 48 bytes. */
function pcr0Of(signed: Authenticated<NitroDocument>): { readonly pcr0?: Authenticated<string> } {
  const pcr0 = signed.value.pcrs.get(0)
  return pcr0?.length === PCR_BYTES ? { pcr0: signed.map(() => toHex(pcr0)) } : {}
}

/** The stated values prove nothing. A difference means that someone edited the answer. The hash of the TLS key is signed. */
function checkTlsKey({ tlsKey, tlsKeyFingerprint: stated }: Answer, keys: AttestedKeys): Finding {
  const attested = toHex(keys.tlsKeyFingerprint)
  if (stated !== undefined && stated !== attested)
    return fail('service-enclave/tls-fingerprint-differs', attested, stated)
  if (!tlsKey) return notChecked(attested, msg('the answer contains no TLS key'))
  const fingerprint = hash('sha256', tlsKey, 'hex')
  return passUnless(
    fingerprint === attested ? undefined : 'service-enclave/tls-key-differs',
    attested,
    fingerprint,
  )
}
