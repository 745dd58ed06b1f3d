import { inflateRawSync } from 'node:zlib'

/*
 * A simulated Docling: it finds enough text in a document for a demonstration. It draws nothing and reads no images.
 */

const maxPart = 8 * 1024 * 1024
const maxEntries = 500
const officeParts = /^(?:word\/document|ppt\/slides\/slide\d+|xl\/sharedStrings)\.xml$/

/** The text of a document as Markdown; empty if there is none. */
export function convertDocument(bytes: Buffer): string {
  if (bytes.subarray(0, 1024).includes('%PDF-')) return pdfText(bytes.toString('latin1'))
  if (bytes.subarray(0, 4).equals(Buffer.from('PK\u0003\u0004'))) return officeText(bytes)
  return withoutTags(bytes.toString('utf8'))
}

/** The strings that are shown: `(…) Tj`, in streams that aren't compressed. */
function pdfText(pdf: string): string {
  return [...pdf.matchAll(/\(((?:[^()\\]|\\.){0,4000})\) *Tj/g)]
    .map(([, text = '']) => text.replaceAll(/\\(.)/g, '$1'))
    .join('\n\n')
}

/** Reads the central directory of the archive (APPNOTE 4.3.12), which always has the sizes. */
function officeText(zip: Buffer): string {
  const texts: string[] = []
  let at = zip.indexOf('PK\u0001\u0002')
  for (
    let entry = 0;
    entry < maxEntries && at >= 0 && at + 46 <= zip.length && zip.readUInt32LE(at) === 0x02014b50;
    entry += 1
  ) {
    const nameEnd = at + 46 + zip.readUInt16LE(at + 28)
    if (officeParts.test(zip.toString('utf8', at + 46, nameEnd))) texts.push(withoutTags(partOf(zip, at)))
    at = nameEnd + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32)
  }
  return texts.filter((text) => text !== '').join('\n\n')
}

/** @param at position of its entry in the central directory */
function partOf(zip: Buffer, at: number): string {
  try {
    const local = zip.readUInt32LE(at + 42)
    const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28)
    const content = zip.subarray(start, start + zip.readUInt32LE(at + 20))
    return (
      zip.readUInt16LE(at + 10) === 0 ? content : inflateRawSync(content, { maxOutputLength: maxPart })
    ).toString('utf8')
  } catch {
    return ''
  }
}

function withoutTags(markup: string): string {
  return markup
    .replaceAll(/<\/(?:w:p|a:p|si|p|h\d|li|tr|div)>/g, '\n\n')
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
    .replaceAll(/\n\s*\n\s*/g, '\n\n')
    .trim()
}
