import { expect, it } from 'vitest'
import { toAnthropicError } from '../../../../src/core/gateway/dialect/messages/index.ts'
import { SottoError } from '../../../../src/shared/errors.ts'

it('begins as Anthropic does where the conversation is too long: programs know it by that, and shorten it', () => {
  const { error } = toAnthropicError(
    new SottoError('service/rejected', { serviceCode: 'context_length_exceeded' }),
  )
  expect(error).toMatchObject({
    type: 'invalid_request_error',
    details: { error_code: 'context_length_exceeded' },
  })
  expect(error.message).toMatch(/^prompt is too long: .{20}/)
})

it('says nothing of the kind of any other refusal', () => {
  expect(toAnthropicError(new SottoError('service/rejected')).error).toMatchObject({
    message: expect.not.stringContaining('prompt is too long') as unknown,
    details: { error_code: 'service/rejected' },
  })
})
