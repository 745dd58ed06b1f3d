import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { DIAGRAM_PATH, DOCUMENT_PATH, headersOf } from '../../src/host/content-security-policy.ts'

const root = resolve(import.meta.dirname, '../..')
const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
const policyOf = (path: string) => headersOf(path)['content-security-policy'] ?? ''

describe('the policy of the frame that draws diagrams', () => {
  const policy = policyOf(DIAGRAM_PATH)

  it('lets in the two scripts that it is made of, by their hashes, and no other', async () => {
    const page = await readFile(resolve(root, 'src/renderer/public/diagram.html'), 'utf8')
    const [, script = ''] = /<script>([^]*?)<\/script>/.exec(page) ?? []
    const library = await readFile(resolve(root, 'node_modules/mermaid/dist/mermaid.min.js'), 'utf8')
    expect(page.match(/<script/g)).toHaveLength(1)
    expect(policy.split('; ')).toContain(`script-src ${hashOf(script)} ${hashOf(library)}`)
  })

  it('gives it an origin of its own and no network', () => {
    expect(policy.split('; ')).toEqual(
      expect.arrayContaining([
        "default-src 'none'",
        'sandbox allow-scripts',
        "frame-ancestors 'self'",
        "form-action 'none'",
      ]),
    )
    expect(policy).not.toMatch(/connect-src|img-src|allow-same-origin|unsafe-eval/)
  })
})

describe('the policy of the frame that shows documents', () => {
  const policy = policyOf(DOCUMENT_PATH).split('; ')

  it('permits only the script that it consists of, by its hash', async () => {
    const page = await readFile(resolve(root, 'src/renderer/public/document.html'), 'utf8')
    const [, script = ''] = /<script>([^]*?)<\/script>/.exec(page) ?? []
    expect(page.match(/<script/g)).toHaveLength(1)
    expect(policy).toContain(`script-src ${hashOf(script)}`)
  })

  it('gives it an origin of its own and no network', () => {
    expect(policy).toEqual(
      expect.arrayContaining([
        "default-src 'none'",
        'img-src data:',
        'sandbox allow-scripts',
        "frame-ancestors 'self'",
        "form-action 'none'",
      ]),
    )
    expect(policy.join()).not.toMatch(/connect-src|frame-src|https?:|allow-same-origin|unsafe-eval|'self' /)
  })
})

describe('the policy of the threads that read PDFs and recognize text', () => {
  it('permits WebAssembly, and neither a network nor a string as code', () => {
    for (const name of ['pdf', 'recognition'])
      expect(policyOf(`/assets/${name}-worker-Ab_9-x.js`).split('; ')).toEqual([
        "default-src 'none'",
        "script-src 'wasm-unsafe-eval'",
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
      ])
  })

  it('is for these two files only', () => {
    for (const path of [
      '/',
      '/assets/index.js',
      '/assets/file-worker-Ab9.js',
      '/assets/pdf-worker-Ab9.js/',
      '/assets/pdf-worker-Ab9.json',
      '/assets/../pdf-worker-Ab9.js',
      '/pdf-worker-Ab9.js',
    ])
      expect(policyOf(path)).not.toContain('wasm')
  })
})

it('keeps every other file under the window’s own policy, which nothing may frame', () => {
  for (const path of [
    '/',
    '/index.html',
    '/assets/index.js',
    '/diagram.html/',
    '/Diagram.html',
    '/document.html/',
    '/Document.html',
  ]) {
    expect(policyOf(path)).toContain("frame-ancestors 'none'")
    expect(policyOf(path)).not.toContain('unsafe-inline')
  }
})
