import { axeFaults } from './axe.ts'
import * as data from './mock-data.ts'
import { expect, test } from './window-test.ts'

test.describe('the privacy sheet', () => {
  test.use({ contextOptions: { reducedMotion: 'reduce' } })

  test('explains a verified private chat, and leads to the report', async ({
    window: { open, page, mock },
  }) => {
    mock.state.verdict = data.goodVerdict(Date.now())
    await open()
    await page.getByTitle('Show who can read this chat').click()
    const sheet = page.getByRole('dialog', { name: 'Privacy' })
    await expect(sheet).toContainText('Your messages are sealed to the verified enclave.')
    await expect(sheet.getByRole('listitem')).toHaveText([
      /You.*Can read/,
      /Service.*Can’t read/,
      /Enclave.*Can read/,
    ])
    await expect(sheet.getByRole('region', { name: 'Verification' })).toContainText(
      mock.state.verdict.enclaveHost,
    )
    expect(await axeFaults(page)).toEqual([])
    await sheet.getByRole('button', { name: 'Open report' }).click()
    await expect(page).toHaveURL(/#\/privacy$/)
    await expect(sheet).toHaveCount(0)
  })

  test('shows one state with the composer after a failed verification, and follows the next', async ({
    window: { open, page, mock },
  }) => {
    mock.state.verdict = data.refusedVerdict(Date.now())
    mock.state.nextVerdict = data.goodVerdict(Date.now())
    await open()
    const seal = page.getByTitle('Show who can read this chat')
    await expect(seal).toHaveText('Blocked')
    await seal.press('Enter')
    const sheet = page.getByRole('dialog', { name: 'Privacy' })
    await expect(sheet).toContainText('Nothing is sent until verification succeeds.')
    await expect(sheet.getByRole('listitem')).toHaveText([/You.*Can read/])
    await sheet.getByRole('button', { name: 'Verify again' }).click()
    await expect(sheet).toContainText('Your messages are sealed to the verified enclave.')
    await page.keyboard.press('Escape')
    await expect(seal).toHaveText('Private')
    await expect(seal).toBeFocused()
  })
})
