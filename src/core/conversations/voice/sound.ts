/**
 * The type of an audio file according to its first bytes, and the extension by which the service identifies
 * it (specification, Audio).
 */
export interface Sound {
  readonly type: string
  /** Undefined if the service doesn't accept the type. */
  readonly ending: 'webm' | 'm4a' | 'wav' | 'mp3' | undefined
}

/** Returns undefined if browsers can't play the file. The declared name and type are ignored. */
export function sniffSound(bytes: Uint8Array): Sound | undefined {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 12))
  const text = start.toString('latin1')
  if (text.startsWith('RIFF') && text.startsWith('WAVE', 8)) return { type: 'audio/wav', ending: 'wav' }
  if (text.startsWith('ftyp', 4)) return { type: 'audio/mp4', ending: 'm4a' }
  if (text.startsWith('\x1a\x45\xdf\xa3')) return { type: 'audio/webm', ending: 'webm' }
  if (text.startsWith('OggS')) return { type: 'audio/ogg', ending: undefined }
  if (text.startsWith('fLaC')) return { type: 'audio/flac', ending: undefined }
  const [first, second = 0] = start
  // ADTS has layer 0, and MPEG audio has another one.
  if (first === 0xff && (second & 0xf6) === 0xf0) return { type: 'audio/aac', ending: undefined }
  if (text.startsWith('ID3') || (first === 0xff && (second & 0xe0) === 0xe0))
    return { type: 'audio/mpeg', ending: 'mp3' }
  return undefined
}
