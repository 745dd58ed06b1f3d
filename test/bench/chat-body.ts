export const PLAINTEXT_MODEL = 'bench/open'
export const PRIVATE_MODEL = 'private/bench'

/**
 * The service's behavior: an answer of this many tokens, or an endless answer that reports the caller's
 * departure under this name.
 */
export interface Asked {
  readonly tokens?: number
  readonly endless?: string
}

/** A chat request of exactly `bytes` bytes of JSON. */
export function chatBody({
  model,
  stream = false,
  bytes = 2_048,
  asked = {},
}: {
  model: string
  stream?: boolean
  bytes?: number
  asked?: Asked
}): Buffer {
  const body = (text: string) =>
    JSON.stringify({
      model,
      ...(stream && { stream: true }),
      ...asked,
      messages: [{ role: 'user', content: text }],
    })
  const sentence = 'What may be sent, and who can read it? '
  return Buffer.from(
    body(sentence.repeat(Math.ceil(bytes / sentence.length)).slice(0, bytes - body('').length)),
  )
}
