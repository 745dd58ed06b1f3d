import { gunzipSync, gzipSync } from 'node:zlib'

interface WrappedDocument {
  readonly enclaveAttestationReport: { readonly format: string; readonly body: string }
}

/**
 * Returns the evidence with a changed bit in its report, quote or document. @param at the byte's index, from
 * the end if negative
 */
export function withReportAltered<E extends WrappedDocument>(evidence: E, at: number): E {
  const { format, body } = evidence.enclaveAttestationReport
  const report = gunzipSync(Buffer.from(body, 'base64'))
  return {
    ...evidence,
    enclaveAttestationReport: { format, body: gzipSync(altered(report, at)).toString('base64') },
  }
}

/** Base64 of the bytes with one bit changed. */
export function alteredBase64(base64: string, at: number): string {
  return altered(Buffer.from(base64, 'base64'), at).toString('base64')
}

function altered(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes)
  const index = at < 0 ? copy.length + at : at
  copy.writeUInt8(copy.readUInt8(index) ^ 1, index)
  return copy
}
