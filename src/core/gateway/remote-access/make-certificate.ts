import { KeyObject, randomBytes } from 'node:crypto'
import { isIPv4 } from 'node:net'
import { Integer, OctetString, PrintableString } from 'asn1js'
import {
  AttributeTypeAndValue,
  BasicConstraints,
  Certificate,
  Extension,
  ExtKeyUsage,
  GeneralName,
  GeneralNames,
} from 'pkijs'
import type { TlsCertificate } from './own-certificate.ts'

const COMMON_NAME = '2.5.4.3'
const SUBJECT_ALT_NAME = '2.5.29.17'
const BASIC_CONSTRAINTS = '2.5.29.19'
const EXT_KEY_USAGE = '2.5.29.37'
const SERVER_AUTH = '1.3.6.1.5.5.7.3.1'
/** GeneralName, RFC 5280 4.2.1.6. */
const DNS_NAME = 2
const IP_ADDRESS = 7

/** A self-signed server certificate on P-256 (RFC 5280). Times in Unix ms. */
export async function makeCertificate(
  names: readonly { name: string; address: boolean }[],
  life: { notBefore: number; notAfter: number },
): Promise<TlsCertificate> {
  const keys = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, [
    'sign',
    'verify',
  ])
  const certificate = new Certificate()
  certificate.version = 2
  // Positive and unique: 16 random bytes whose first bit is 0.
  const serial = randomBytes(16)
  serial.writeUInt8((serial.readUInt8(0) & 0x3f) | 0x40, 0)
  certificate.serialNumber = new Integer({ valueHex: new Uint8Array(serial) })
  for (const name of [certificate.issuer, certificate.subject]) {
    name.typesAndValues.push(
      new AttributeTypeAndValue({
        type: COMMON_NAME,
        value: new PrintableString({ value: 'Sotto on this machine' }),
      }),
    )
  }
  certificate.notBefore.value = new Date(life.notBefore)
  certificate.notAfter.value = new Date(life.notAfter)
  const basic = new BasicConstraints({ cA: false })
  const usage = new ExtKeyUsage({ keyPurposes: [SERVER_AUTH] })
  const alternative = new GeneralNames({
    names: names.map(({ name, address }) =>
      address
        ? new GeneralName({ type: IP_ADDRESS, value: new OctetString({ valueHex: addressBytes(name) }) })
        : new GeneralName({ type: DNS_NAME, value: name }),
    ),
  })
  certificate.extensions = [
    new Extension({ extnID: BASIC_CONSTRAINTS, critical: true, extnValue: basic.toSchema().toBER(false) }),
    new Extension({ extnID: EXT_KEY_USAGE, extnValue: usage.toSchema().toBER(false) }),
    new Extension({ extnID: SUBJECT_ALT_NAME, extnValue: alternative.toSchema().toBER(false) }),
  ]
  await certificate.subjectPublicKeyInfo.importKey(keys.publicKey)
  await certificate.sign(keys.privateKey, 'SHA-256')
  return {
    certificate: pem('CERTIFICATE', Buffer.from(certificate.toSchema(true).toBER(false))),
    key: KeyObject.from(keys.privateKey).export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
}

/** Returns 4 or 16 bytes. `URL` parses every spelling of an IPv6 address and writes it in full. */
function addressBytes(address: string): ArrayBuffer {
  if (isIPv4(address)) return Uint8Array.from(address.split('.'), Number).buffer
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::')
  const groups = (text: string | undefined): number[] =>
    text ? text.split(':').map((group) => Number.parseInt(group, 16)) : []
  const [before, after] = [groups(head), groups(tail)]
  const all = [...before, ...new Array<number>(8 - before.length - after.length).fill(0), ...after]
  return Uint8Array.from(all.flatMap((group) => [group >> 8, group & 0xff])).buffer
}

function pem(label: string, der: Buffer): string {
  return `-----BEGIN ${label}-----\n${der.toString('base64').replaceAll(/.{64}/g, '$&\n').trimEnd()}\n-----END ${label}-----\n`
}
