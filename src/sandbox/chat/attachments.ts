import type { ContentPart } from './request.ts'

type Attachment = Exclude<ContentPart, { type: 'text' }>

/** Describes an attachment in plain words: its kind, type and size. It isn't fetched or read. */
export function describeAttachment(part: Attachment): string {
  switch (part.type) {
    case 'image_url':
      return describeAddress('an image', part.image_url.url)
    case 'input_audio':
      return `a sound recording of type \`${part.input_audio.format}\`, ${bytes(decodedLength(part.input_audio.data))}`
    case 'file':
      return describeAddress(
        part.file.filename === undefined ? 'a file' : `the file \`${part.file.filename}\``,
        part.file.file_data ?? '',
      )
  }
}

function describeAddress(what: string, address: string): string {
  const data = /^data:(?<type>[\w.+-]+\/[\w.+-]+)?(?:;[\w=.-]+)*;base64,(?<data>[\s\S]*)$/.exec(
    address,
  )?.groups
  if (!data) return `${what}, as a link. The sandbox doesn’t open links`
  const content = data['data'] ?? ''
  return `${what} of type \`${data['type'] ?? 'application/octet-stream'}\`, ${bytes(decodedLength(content))}${dimensions(content)}`
}

function decodedLength(base64: string): number {
  return Buffer.byteLength(base64, 'base64')
}

function bytes(count: number): string {
  return count === 1 ? '1 byte' : `${count.toLocaleString('en')} bytes`
}

/** PNG (section 11.2.1): signature, then IHDR with width and height. */
function dimensions(base64: string): string {
  const head = Buffer.from(base64.slice(0, 44), 'base64')
  if (head.length < 24 || !head.subarray(0, 8).equals(Buffer.from('89504e470d0a1a0a', 'hex'))) return ''
  return `, ${head.readUInt32BE(16)} × ${head.readUInt32BE(20)} pixels`
}
