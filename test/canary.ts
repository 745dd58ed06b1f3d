import { inflateRawSync } from 'node:zlib'

const MAX_DEPTH = 4

/**
 * The forms in which bytes contain a text: unchanged, JSON-escaped, in base64 or hex, or compressed, and these
 * nested in each other.
 */
export function formsOf(canary: string, bytes: Buffer, depth = 0): string[] {
  const forms = new Set<string>()
  if (bytes.includes(canary)) forms.add('raw')
  const escaped = JSON.stringify(canary).slice(1, -1)
  if (escaped !== canary && bytes.includes(escaped)) forms.add('json')
  const ascii = JSON.stringify(canary)
    .slice(1, -1)
    .replaceAll(/[^\x20-\x7e]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
  if (ascii !== escaped && bytes.includes(ascii)) forms.add('json')
  if (bytes.includes(encodeURIComponent(canary))) forms.add('url')
  if (bytes.includes(Buffer.from(canary).toString('hex'))) forms.add('hex')
  if (depth === MAX_DEPTH) return [...forms]
  const text = bytes.toString('latin1')
  for (const [run] of text.matchAll(/[A-Za-z0-9+/_-]{24,}={0,2}/g)) {
    // Encoded text may begin anywhere in a run, at one of four offsets.
    for (let offset = 0; offset < 4; offset++) {
      for (const form of formsOf(canary, Buffer.from(run.slice(offset), 'base64'), MAX_DEPTH))
        forms.add(`base64>${form}`)
      if (depth < 2 && offset === 0)
        for (const form of gzipped(canary, Buffer.from(run, 'base64'), depth)) forms.add(`base64>${form}`)
    }
  }
  for (const form of gzipped(canary, bytes, depth)) forms.add(form)
  return [...forms]
}

function gzipped(canary: string, bytes: Buffer, depth: number): string[] {
  const forms: string[] = []
  for (
    let at = bytes.indexOf(Buffer.from([0x1f, 0x8b, 0x08]));
    at >= 0;
    at = bytes.indexOf(Buffer.from([0x1f, 0x8b, 0x08]), at + 1)
  ) {
    try {
      // Inflated without the ten bytes of a plain header (RFC 1952), because gunzip would refuse any data after the
      // member.
      const inner = inflateRawSync(bytes.subarray(at + 10), {
        finishFlush: 2,
        maxOutputLength: 64 * 1024 * 1024,
      })
      forms.push(...formsOf(canary, inner, depth + 1).map((form) => `gzip>${form}`))
    } catch {
      // Three bytes that only look like a beginning.
    }
  }
  return forms
}
