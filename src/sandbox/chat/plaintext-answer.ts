/**
 * The answer of something in an enclave's place: it couldn't read the question, and answers as if it had.
 * @param model as the answer names it
 * @param now Unix ms
 */
export function plaintextAnswer(model: string, now: number): object {
  return {
    id: 'chatcmpl-in-the-open',
    object: 'chat.completion',
    created: Math.floor(now / 1000),
    model,
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: 'This reply was not encrypted. Anyone could have written it.',
        },
        finish_reason: 'stop',
      },
    ],
    usage: { prompt_tokens: 1, completion_tokens: 14, total_tokens: 15 },
  }
}
