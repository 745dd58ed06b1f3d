import { conversation } from './mock-data.ts'
import { expect, test } from './window-test.ts'

test.beforeEach(({ window: { mock } }) => {
  mock.state.conversations = [
    conversation(
      'c1',
      'Rivers',
      Date.now(),
      Array.from({ length: 50 }, (_, at) => [
        `Question ${String(at)}`,
        Array.from({ length: 4 }, (__, part) => `Part ${String(part)} of answer ${String(at)}.`).join('\n\n'),
      ]),
    ),
  ]
})

test('an edit that scrolls into view again leaves the focus in the composer', async ({
  window: { open, page, messages, composer },
}) => {
  await open('#/chat/c1')
  const last = messages.getByText('Part 3 of answer 49.')
  await expect(last).toBeInViewport()
  await messages.getByRole('button', { name: 'Edit message' }).last().click()
  const editor = page.getByRole('textbox', { name: 'Edit message' })
  await expect(editor).toBeFocused()
  await editor.fill('Question 49, edited')
  await messages.focus()
  await page.keyboard.press('Home')
  await expect(messages.getByText('Question 0', { exact: true })).toBeInViewport()
  await expect(editor).toHaveCount(0)
  await composer.fill('And the')
  await messages.hover()
  await page.mouse.wheel(0, 100_000)
  await expect(editor).toHaveValue('Question 49, edited')
  await expect(editor).toBeInViewport()
  await page.evaluate(async () => {
    for (let frame = 0; frame < 30; frame += 1) await new Promise((resolve) => requestAnimationFrame(resolve))
  })
  await expect(composer).toBeFocused()
  await page.keyboard.type(' next one?')
  await expect(composer).toHaveValue('And the next one?')
})

test('arrow up in an empty composer returns to an edit that is open', async ({
  window: { open, page, messages, composer },
}) => {
  await open('#/chat/c1')
  await expect(messages.getByText('Part 3 of answer 49.')).toBeInViewport()
  await composer.press('ArrowUp')
  const editor = page.getByRole('textbox', { name: 'Edit message' })
  await editor.fill('Question 49, edited')
  for (const place of ['End', 'Home']) {
    await messages.focus()
    await page.keyboard.press(place)
    await composer.press('ArrowUp')
    await expect(editor).toBeFocused()
    await expect(editor).toBeInViewport()
    await expect(editor).toHaveValue('Question 49, edited')
  }
})
