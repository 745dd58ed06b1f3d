/*
 * Which documents the enclave converts. The window, the command line and the core read it from here.
 */

/** The size limit of a document in bytes, below the limit of a call to the core. */
export const MAX_DOCUMENT_BYTES = 25_000_000

/** The path for conversions, relative to the enclave's address; also the path of their receipts. */
export const CONVERT_PATH = '/v1/convert/file'

const OFFICE = 'application/vnd.openxmlformats-officedocument'

/** By file extension. */
const TYPES: Readonly<Record<string, string>> = {
  pdf: 'application/pdf',
  docx: `${OFFICE}.wordprocessingml.document`,
  pptx: `${OFFICE}.presentationml.presentation`,
  xlsx: `${OFFICE}.spreadsheetml.sheet`,
  html: 'text/html',
  htm: 'text/html',
}

/**
 * The media type that a document is sent as, by the ending of its name.
 *
 * @param name with or without folders
 * @returns undefined if the enclave doesn't convert such a file
 */
export function documentTypeOf(name: string): string | undefined {
  const ending = /\.([a-z]{3,4})$/i.exec(name)?.[1]?.toLowerCase()
  return ending !== undefined && Object.hasOwn(TYPES, ending) ? TYPES[ending] : undefined
}

/**
 * Whether a file begins like a document of this type.
 *
 * @param start the first 1,024 bytes
 */
export function beginsLike(type: string, start: Uint8Array): boolean {
  const text = new TextDecoder('latin1').decode(start)
  if (type === 'application/pdf') return text.includes('%PDF-')
  if (type.startsWith(OFFICE)) return text.startsWith('PK\u0003\u0004')
  return !text.includes('\0') && text.includes('<')
}
