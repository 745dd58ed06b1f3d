import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { windowFolder } from './build-window.ts'
import { startMockServer, type MockServer } from './mock-server.ts'
import { openWindow } from './open-window.ts'

/** A separate setup instead of window-test.ts, because here the policy has to stop attempts. */
let mock: MockServer
test.beforeEach(async ({ page }) => {
  mock = await startMockServer()
  await openWindow(page, mock)
})
test.afterEach(() => mock[Symbol.asyncDispose]())

const ownWorker = readdirSync(join(windowFolder, 'assets')).find((name) =>
  /^colour-worker-.*\.js$/.test(name),
)!

/** Each takes a string that becomes markup, code or the address of code. */
const sinks: Readonly<Record<string, string>> = {
  'markup of an element': 'document.createElement("div").innerHTML = "<b>x</b>"',
  'markup in place of an element': 'document.body.firstElementChild.outerHTML = "<b>x</b>"',
  'markup beside an element': 'document.body.insertAdjacentHTML("beforeend", "<b>x</b>")',
  'markup of a fragment': 'document.createRange().createContextualFragment("<b>x</b>")',
  'a document that is parsed': 'new DOMParser().parseFromString("<b>x</b>", "text/html")',
  'a document in a frame': 'document.createElement("iframe").srcdoc = "<b>x</b>"',
  'the address of a script': 'document.createElement("script").src = "/assets/x.js"',
  'the text of a script': 'document.createElement("script").textContent = "1"',
  'the address of a worker': `new Worker("/assets/${ownWorker}")`,
  'a handler in an attribute': 'document.createElement("b").setAttribute("onclick", "1")',
}

for (const [what, code] of Object.entries(sinks)) {
  test(`a string is refused as ${what}`, async ({ page }) => {
    const refused = await page.evaluate(`(async () => {
      const violation = new Promise((resolve) => document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) => resolve(effectiveDirective), { once: true }))
      try {
        ${code}
        return 'accepted'
      } catch (thrown) {
        return [thrown.name, await violation].join(' ')
      }
    })()`)
    expect(refused).toBe('TypeError require-trusted-types-for')
  })
}

test('no policy can be added that would let a string through, not even under the name of the window’s own', async ({
  page,
}) => {
  for (const name of ['default', 'dompurify', 'anything', 'sotto-worker']) {
    expect(
      await page.evaluate(`(() => {
      try {
        trustedTypes.createPolicy(${JSON.stringify(name)}, { createHTML: (text) => text, createScriptURL: (text) => text })
        return 'created'
      } catch (thrown) {
        return thrown.name
      }
    })()`),
    ).toBe('TypeError')
  }
})
