import fc from 'fast-check'
import { expect, it } from 'vitest'
import { cleanDisplayName } from '../../src/shared/display-name.ts'
import { promptFile, readPromptFile } from '../../src/shared/prompt-file.ts'

it('is read as it was saved', () => {
  const written = fc.array(
    fc.record({
      name: fc
        .stringMatching(/^[\p{L}\p{N}][\p{L}\p{N} ]{0,40}$/u)
        .map(cleanDisplayName)
        .filter((name) => name !== ''),
      text: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 200 }),
    }),
    { maxLength: 10 },
  )
  fc.assert(
    fc.property(written, (prompts) => {
      expect(readPromptFile(promptFile(prompts))).toEqual({ prompts, skipped: 0 })
    }),
  )
})

it('takes what other programs call the same', () => {
  expect(
    readPromptFile(
      JSON.stringify([
        { command: '/sum', title: 'Sum up', content: 'Sum {{text}} up' },
        { command: '/x', content: 'y' },
        { title: 'a', prompt: 'b' },
      ]),
    ),
  ).toEqual({
    prompts: [
      { name: 'Sum up', text: 'Sum {{text}} up' },
      { name: 'x', text: 'y' },
      { name: 'a', text: 'b' },
    ],
    skipped: 0,
  })
})

it('leaves out what is no prompt, and turns nothing around', () => {
  const entries = [
    {},
    { name: 'a' },
    { text: 'b' },
    7,
    null,
    [],
    { name: 'x'.repeat(300), text: 'long' },
    { name: 'e\u202evil\nname', text: 't' },
    { name: 'b', text: 'x'.repeat(200_001) },
    { name: 3, title: 't', text: 'number' },
  ]
  const read = readPromptFile(JSON.stringify({ prompts: entries }))
  expect(read?.skipped).toBe(7)
  expect(read?.prompts.map(({ name }) => name)).toEqual(['x'.repeat(100), 'evil name', 't'])
})

it.each(['', 'null', '{}', '"text"', '{"prompts":{}}', '[', '7'])('%j is no file of prompts', (content) =>
  expect(readPromptFile(content)).toBeNull(),
)
