import { createCipheriv, createHash } from 'node:crypto'
import { pdfWith } from './pdf.ts'

/** How a PDF is encrypted: RC4 with 128 bits, AES with 128 bits, and AES with 256 bits (ISO 32000-2, 7.6). */
export type PdfEncryption = 'rc4' | 'aes-128' | 'aes-256'

interface Passwords {
  readonly user: string
  readonly owner: string
}

interface Encryption {
  /** The members of the encryption dictionary. */
  readonly dictionary: string
  readonly encrypt: (content: Buffer, object: number) => Buffer
}

const ID = Buffer.alloc(16, 0x11)
const PERMISSIONS = -44
const PADDING = Buffer.from('28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a', 'hex')

/** A PDF of one page with this line, whose content is really encrypted. */
export function lockedPdf(line: string, kind: PdfEncryption, passwords: Passwords): Buffer {
  const { dictionary, encrypt } =
    kind === 'aes-256' ? aes256(passwords) : with128Bits(passwords, kind === 'aes-128')
  const content = encrypt(Buffer.from(`BT /F1 24 Tf 72 700 Td (${line}) Tj ET`, 'latin1'), 4)
  return pdfWith(
    [
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 5 0 R >> >> /Contents 4 0 R >>',
      `<< /Length ${String(content.length)} >>\nstream\n${content.toString('latin1')}\nendstream`,
      '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
      `<< /Filter /Standard /P ${String(PERMISSIONS)} ${dictionary} >>`,
    ],
    `/Encrypt 6 0 R /ID [<${ID.toString('hex')}> <${ID.toString('hex')}>]`,
  )
}

const digest = (name: string, ...parts: readonly Buffer[]) =>
  createHash(name).update(Buffer.concat(parts)).digest()
const md5 = (...parts: readonly Buffer[]) => digest('md5', ...parts)
const padded = (password: string) => Buffer.concat([Buffer.from(password, 'latin1'), PADDING]).subarray(0, 32)
const repeated = (key: Buffer) => Array.from({ length: 50 }).reduce<Buffer>((last) => md5(last), key)
const int32 = (value: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32LE(value)
  return bytes
}

function rc4(key: Buffer, data: Buffer): Buffer {
  const state = Uint8Array.from({ length: 256 }, (_, at) => at)
  const at = (index: number) => state[index & 255] ?? 0
  const swap = (one: number, other: number) => {
    const [first, second] = [at(one), at(other)]
    state[one & 255] = second
    state[other & 255] = first
  }
  for (let i = 0, j = 0; i < 256; i += 1) {
    j = (j + at(i) + (key[i % key.length] ?? 0)) & 255
    swap(i, j)
  }
  let [i, j] = [0, 0]
  return Buffer.from(
    data.map((byte) => {
      i = (i + 1) & 255
      j = (j + at(i)) & 255
      swap(i, j)
      return byte ^ at(at(i) + at(j))
    }),
  )
}

/** Twenty times, each with another key (algorithms 3 and 5). */
const rc4Rounds = (key: Buffer, data: Buffer) =>
  Array.from({ length: 20 }, (_, round) => Buffer.from(key.map((byte) => byte ^ round))).reduce(
    (last, roundKey) => rc4(roundKey, last),
    data,
  )

function with128Bits({ user, owner }: Passwords, aes: boolean): Encryption {
  const o = rc4Rounds(repeated(md5(padded(owner))), padded(user))
  const key = repeated(md5(padded(user), o, int32(PERMISSIONS), ID))
  const u = Buffer.concat([rc4Rounds(key, md5(PADDING, ID)), Buffer.alloc(16)])
  const keys = `/O <${o.toString('hex')}> /U <${u.toString('hex')}> /Length 128`
  return {
    dictionary: aes
      ? `${keys} /V 4 /R 4 /CF << /StdCF << /CFM /AESV2 /AuthEvent /DocOpen /Length 16 >> >> /StmF /StdCF /StrF /StdCF`
      : `${keys} /V 2 /R 3`,
    encrypt(content, object) {
      const place = Buffer.concat([int32(object).subarray(0, 3), Buffer.alloc(2)])
      if (!aes) return rc4(md5(key, place), content)
      return cbc('aes-128-cbc', md5(key, place, Buffer.from('sAlT')), content)
    },
  }
}

/** With its initial vector in front, as PDF has it. */
function cbc(name: string, key: Buffer, content: Buffer): Buffer {
  const vector = Buffer.alloc(16, 0x42)
  const cipher = createCipheriv(name, key, vector)
  return Buffer.concat([vector, cipher.update(content), cipher.final()])
}

function withoutPadding(name: string, key: Buffer, vector: Buffer | null, content: Buffer): Buffer {
  const cipher = createCipheriv(name, key, vector)
  cipher.setAutoPadding(false)
  return Buffer.concat([cipher.update(content), cipher.final()])
}

/** Algorithm 2.B. */
function hardenedHash(password: Buffer, salt: Buffer, more: Buffer): Buffer {
  let key = digest('sha256', password, salt, more)
  for (let round = 0, last = 0; round < 64 || last > round - 32; round += 1) {
    const block = Buffer.concat(Array.from({ length: 64 }, () => Buffer.concat([password, key, more])))
    const mixed = withoutPadding('aes-128-cbc', key.subarray(0, 16), key.subarray(16, 32), block)
    const remainder = mixed.subarray(0, 16).reduce((sum, byte) => sum + byte, 0) % 3
    key = digest(['sha256', 'sha384', 'sha512'][remainder] ?? 'sha256', mixed)
    last = mixed.at(-1) ?? 0
  }
  return key.subarray(0, 32)
}

function aes256({ user, owner }: Passwords): Encryption {
  const key = Buffer.alloc(32, 0x5a)
  const sealKey = (password: string, salts: readonly [Buffer, Buffer], more: Buffer) => {
    const bytes = Buffer.from(password, 'utf8')
    const check = Buffer.concat([hardenedHash(bytes, salts[0], more), ...salts])
    const wrapped = withoutPadding('aes-256-cbc', hardenedHash(bytes, salts[1], more), Buffer.alloc(16), key)
    return [check, wrapped] as const
  }
  const [u, ue] = sealKey(user, [Buffer.alloc(8, 1), Buffer.alloc(8, 2)], Buffer.alloc(0))
  const [o, oe] = sealKey(owner, [Buffer.alloc(8, 3), Buffer.alloc(8, 4)], u)
  const permissions = Buffer.concat([
    int32(PERMISSIONS),
    Buffer.alloc(4, 0xff),
    Buffer.from('Tadb'),
    Buffer.alloc(4),
  ])
  const perms = withoutPadding('aes-256-ecb', key, null, permissions)
  const hex = (name: string, bytes: Buffer) => `/${name} <${bytes.toString('hex')}>`
  return {
    dictionary: `${hex('O', o)} ${hex('U', u)} ${hex('OE', oe)} ${hex('UE', ue)} ${hex('Perms', perms)} /Length 256 /V 5 /R 6 /CF << /StdCF << /CFM /AESV3 /AuthEvent /DocOpen /Length 32 >> >> /StmF /StdCF /StrF /StdCF`,
    encrypt: (content) => cbc('aes-256-cbc', key, content),
  }
}
