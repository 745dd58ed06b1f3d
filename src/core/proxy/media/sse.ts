export const EVENT_STREAM = 'text/event-stream; charset=utf-8'

/** OpenAI's events for media require `usage`, in tokens. The service counts none for media; the receipt has the cost. */
export const NO_TOKENS = { input_tokens: 0, input_tokens_details: { image_tokens: 0, text_tokens: 0 }, output_tokens: 0, total_tokens: 0 } as const
