/** How many bits a digit of base32 carries. */
const BITS = 5
const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567'

/** RFC 4648 section 6, lower-case and without padding; undefined where the digits are not the one encoding of their bytes. */
export function decodeBase32(text: string): Uint8Array | undefined {
  const bytes: number[] = []
  let pending = 0
  let bits = 0
  for (const digit of text) {
    const value = ALPHABET.indexOf(digit)
    if (value < 0) return undefined
    pending = (pending << BITS) | value
    bits += BITS
    if (bits >= 8) {
      bits -= 8
      bytes.push(pending >> bits)
      pending &= (1 << bits) - 1
    }
  }
  // A digit that adds no byte, or bits that say nothing, would spell the same bytes twice.
  return bits >= BITS || pending !== 0 ? undefined : Uint8Array.from(bytes)
}

const LABEL = /^(\d\d)([a-z2-7]+)$/

/**
 * The bytes that a certificate's names carry in labels `NN<base32>.<kind>.<suffix>`, numbered from 00 without a gap.
 * Undefined where there are none, or where they do not fit together.
 *
 * @param kind `hpke`: the enclave's HPKE key; `hatt`: the hash of its attestation document, as hex text
 */
export function labelledBytes(
  names: readonly string[],
  kind: 'hpke' | 'hatt',
  suffix: string,
): Uint8Array | undefined {
  const ending = `.${kind}.${suffix}`
  const chunks: string[] = []
  for (const name of names) {
    if (!name.endsWith(ending)) continue
    const [, number, chunk] = LABEL.exec(name.slice(0, -ending.length)) ?? []
    if (number === undefined || chunk === undefined || chunks[Number(number)] !== undefined) return undefined
    chunks[Number(number)] = chunk
  }
  // A gap leaves the list sparse: its length then says more than it holds.
  if (chunks.length === 0 || Object.keys(chunks).length !== chunks.length) return undefined
  return decodeBase32(chunks.join(''))
}
