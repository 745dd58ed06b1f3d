/** A text for one audience: what happened, and what to do. */
export interface ErrorText {
  readonly says: string
  readonly remedy: string
}

/** The text for tools and the command line, in English only. `same`: the person's text is right for a tool too. */
export type ToolText = ErrorText | 'same'

/** The `type` of OpenAI's errors. */
export type ErrorType =
  | 'invalid_request_error'
  | 'authentication_error'
  | 'permission_error'
  | 'not_found_error'
  | 'rate_limit_error'
  | 'insufficient_quota'
  | 'api_error'

/** One coded failure, with the text for a person in the window. Tools and the command line get the text of tool-texts.ts. */
export interface ErrorEntry extends ErrorText {
  /** The HTTP status that the proxy answers with. */
  readonly status: number
  /** Only if OpenAI's `type` isn't the one of the status. */
  readonly type?: ErrorType
}

const types: Readonly<Record<number, ErrorType>> = {
  401: 'authentication_error',
  402: 'insufficient_quota',
  403: 'permission_error',
  404: 'not_found_error',
  429: 'rate_limit_error',
}

/** OpenAI's error type of an entry. */
export function errorTypeOf({ status, type }: ErrorEntry): ErrorType {
  return type ?? types[status] ?? (status < 499 ? 'invalid_request_error' : 'api_error')
}
