export const OPEN_MODEL = 'bench/open'
export const PRIVATE_MODEL = 'private/bench'

/** A chat request of exactly `bytes` bytes of JSON. */
export function chatBody({ model, stream = false, bytes = 2_048 }: { model: string; stream?: boolean; bytes?: number }): Buffer {
  const body = (text: string) => JSON.stringify({ model, ...(stream && { stream: true }), messages: [{ role: 'user', content: text }] })
  const words = 'What may be sent, and who can read it? '
  return Buffer.from(body(words.repeat(Math.ceil(bytes / words.length)).slice(0, bytes - body('').length)))
}
