import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { ESLint } from 'eslint'
import { expect, it } from 'vitest'
import { z } from 'zod'

const root = resolve(import.meta.dirname, '../..')
const read = (file: string): string => readFileSync(join(root, file), 'utf8')
const { scripts } = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(read('package.json')))

it('what one half of the check passes over is what the other looks at', () => {
  const looks = /&& eslint (.+) --max-warnings 0 --pass-on-unpruned-suppressions$/
    .exec(scripts['check:types-and-window'] ?? '')?.[1]
    ?.split(' ')
  const passesOver = /^eslint \. (.+) --max-warnings 0 --pass-on-unpruned-suppressions$/.exec(
    scripts['check:but-window'] ?? '',
  )?.[1]
  expect(looks).toContain('src/renderer')
  expect(passesOver).toBe(looks?.map((folder) => `--ignore-pattern ${folder}`).join(' '))
  expect(scripts['check']).toBe(
    'node build/use-node.js && run-p --print-label check:types-and-window check:but-window check:words check:dead check:format',
  )
})

it('a file is linted with a program that holds it', async () => {
  const eslint = new ESLint({ cwd: root })
  const programOf = async (file: string) =>
    z
      .object({ languageOptions: z.object({ parserOptions: z.object({ project: z.string() }) }) })
      .parse(await eslint.calculateConfigForFile(join(root, file))).languageOptions.parserOptions.project
  expect(
    await Promise.all(
      [
        'src/core/protect.ts',
        'src/renderer/app.tsx',
        'test/renderer/chat.test.ts',
        'test/bench-ui/peer-page/page.tsx',
        'test/bench-ui/run.ts',
        'test/e2e/run.ts',
        'playwright.config.ts',
      ].map(programOf),
    ),
  ).toEqual([
    './tsconfig.json',
    './tsconfig.web.json',
    './tsconfig.web.json',
    './tsconfig.web.json',
    './tsconfig.e2e.json',
    './tsconfig.e2e.json',
    './tsconfig.e2e.json',
  ])
})
