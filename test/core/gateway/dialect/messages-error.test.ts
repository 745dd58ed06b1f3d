import { expect, it } from 'vitest'
import { toAnthropicError } from '../../../../src/core/gateway/dialect/messages/index.ts'
import { SottoError } from '../../../../src/shared/errors.ts'

it('begins with Anthropic’s text if the conversation is too long, because clients recognize it and shorten the conversation', () => {
  const { error } = toAnthropicError(
    new SottoError('service/rejected', { serviceCode: 'context_length_exceeded' }),
  )
  expect(error).toMatchObject({
    type: 'invalid_request_error',
    details: { error_code: 'context_length_exceeded' },
  })
  expect(error.message).toMatch(/^prompt is too long: .{20}/)
})

it('omits this text for any other refusal', () => {
  expect(toAnthropicError(new SottoError('service/rejected')).error).toMatchObject({
    message: expect.not.stringContaining('prompt is too long') as unknown,
    details: { error_code: 'service/rejected' },
  })
})
