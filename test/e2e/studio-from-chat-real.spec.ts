import { expect, test } from '@playwright/test'
import { startWorldWindow } from './world-window.ts'

test('an answer that only the enclave read becomes a prompt, and the service reads it only once that was allowed', async ({
  page,
}) => {
  await using window = await startWorldWindow('B', 'balance')
  const { sandbox, outbound } = window.world
  const posts = () =>
    sandbox.received().filter(({ method, path }) => method === 'POST' && path.endsWith('/images/generations'))
      .length
  await window.open(page, '#/chat')
  const message = page.getByRole('textbox', { name: 'Message', exact: true })
  await message.fill('Name a river, between us')
  await message.press('Enter')
  const answer = page.getByRole('article', { name: /^Reply from/ })
  await expect(answer.getByRole('button', { name: /Private.*Receipt/ })).toBeVisible()
  await answer.getByRole('button', { name: 'Use in Studio' }).click()
  await page.getByRole('menuitem', { name: 'Generate image from this reply' }).click()
  const prompt = page.getByRole('textbox', { name: 'Prompt' })
  await expect(prompt).not.toHaveValue('')
  await page.getByLabel('Model', { exact: true }).selectOption('sandbox/affresco-image')
  await page.getByLabel('Quality').selectOption('low')
  // A unique text, to search for it in all sent data.
  const promptText = `${await prompt.inputValue()} and the otter of Quellgasse 11`
  await prompt.fill(promptText)
  const left = () => Buffer.concat(outbound).includes('the otter of Quellgasse 11')
  const make = page.getByRole('button', { name: /^Generate( · |$)/ })
  const dialog = page.getByRole('alertdialog')

  await make.click()
  await expect(dialog.getByRole('listitem')).toContainText(promptText.slice(0, 20))
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(page.getByRole('region', { name: 'Images' }).getByRole('article')).toHaveCount(0)
  expect([posts(), left()]).toEqual([0, false])

  await make.click()
  await dialog.getByRole('button', { name: 'Allow once' }).click()
  const card = page.getByRole('region', { name: 'Images' }).getByRole('article').first()
  await expect(card).toContainText('Done')
  expect([posts(), left()]).toEqual([1, true])
  const receipts = (await window.world.call('receipts/list', {})) as { privacy: string }[]
  expect(receipts.map(({ privacy }) => privacy)).toEqual(['forwarded', 'sealed'])

  // Once: the same again asks again.
  await card.getByRole('button', { name: 'Send and pay again' }).click()
  await expect(dialog).toBeVisible()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  expect(posts()).toBe(1)
})
