import type { SottoError } from '../../../shared/errors.ts'

/** Ollama's error shape. Its clients choose by the status and show the text. */
export interface OllamaError {
  readonly error: string
}

/** The body of a refusal, and the last line of a stream that failed. */
export function toOllamaError({ message }: SottoError): OllamaError {
  return { error: message }
}
