export const PLAINTEXT_MODEL = 'bench/open'
export const PRIVATE_MODEL = 'private/bench'

/**
 * Parameters that change the service's answer: it has this many tokens. With `user`, it is endless and reports
 * the caller's departure under this name. Both are parameters of chat, because a key with a budget refuses others.
 */
export interface Asked {
  readonly max_completion_tokens?: number
  readonly user?: string
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
