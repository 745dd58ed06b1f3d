import { conversation } from './mock-data.ts'
import { verified } from './screens/privacy-screens.ts'
import { expect, test } from './window-test.ts'

/**
 * What a screen reader announces, in its order, for the three tasks that matter most. A change of these trees is a
 * change for people who can't see the window.
 */
const now = Date.now()

test('a chat is heard: its title, who wrote what, its privacy, and the composer', async ({
  window: { open, page, mock },
}) => {
  mock.state.conversations = [conversation('c1', 'Rain', now, [['Will it rain?', 'Yes, until **evening**.']])]
  await open('#/chat/c1')
  await expect(page.getByRole('main')).toMatchAriaSnapshot(`
    - main "Chat":
      - button "Toggle sidebar" [expanded]
      - heading "Rain" [level=1]
      - button "Find in this chat"
      - region "Messages":
        - article "You":
          - paragraph: Will it rain?
          - 'button "This message: Private. Open its receipt"'
          - button "Copy message"
          - button "Edit message"
        - article "Reply from Sandbox Large":
          - paragraph:
            - text: Yes, until
            - strong: evening
          - button "Copy reply"
          - button "Regenerate"
          - button "Private Receipt"
      - textbox "Message"
      - button "Add to message"
      - 'button "Model: Sandbox Large"'
      - button "Dictate"
      - button "Send" [disabled]
      - button "Private"
      - text: /Sealed to the verified enclave, or not sent\\./
  `)
  await expect(page.getByRole('navigation', { name: 'Views' })).toMatchAriaSnapshot(`
    - navigation "Views":
      - list:
        - listitem:
          - link "Studio"
        - listitem:
          - link "Data"
        - listitem:
          - link "Developer"
        - listitem:
          - link "Wallet $4.21"
        - listitem:
          - link "Privacy not verified"
      - link "Account"
      - link "Settings"
  `)
})

test('a payment is heard: its choices, its state, its amount and the ways to pay', async ({
  window: { open, page },
}) => {
  await open('#/wallet')
  await page.getByRole('button', { name: 'Add funds' }).click()
  await expect(page.getByRole('main')).toMatchAriaSnapshot(`
    - heading "Wallet" [level=1]
    - tablist "Wallet sections":
      - tab "Balance" [selected]
      - tab "Activity"
      - tab "Payment methods"
      - tab "Accounts"
    - tabpanel "Balance":
      - region "Add funds":
        - heading "Top-up" [level=2]
        - link "Balance"
        - group "Amounts":
          - button "$25.00" [pressed]
        - group "Pay with":
          - button "Bitcoin (Lightning)" [pressed]
        - 'article "Top-up: $25.00 over Lightning"':
          - heading "$25.00 over Lightning" [level=3]
          - text: Waiting for payment
          - timer: /\\d+ min \\d+ s/
          - figure:
            - img "QR code to pay $25.00 over Lightning"
          - term: Amount to pay
          - definition:
            - strong: 0.00005 BTC
            - text: 5,000 sats
          - button "Pay with demo wallet"
          - button "Copy invoice"
          - button "Check payment"
  `)
})

test('a verdict is heard: its outcome, what it rests on, and its limits', async ({
  window: { open, page, mock },
}) => {
  verified(mock)
  await open('#/privacy')
  await expect(page.getByRole('main')).toMatchAriaSnapshot(`
    - heading "Privacy" [level=1]
    - tablist "Privacy sections":
      - tab "Verdict" [selected]
      - tab "Evidence"
      - tab "Requirements"
      - tab "Change log"
      - tab "Receipts"
      - tab "Self-test"
    - tabpanel "Verdict":
      - region "Verification":
        - heading "Verified" [level=2]
        - paragraph: /router\\.sandbox\\.example was verified/
        - button "Verify again"
      - region "Evidence":
        - term: Enclave host
        - definition: router.sandbox.example
        - term: Platform
        - definition: AMD SEV-SNP, Genoa
        - term: Release
        - definition: /v1\\.4\\.2 from sandbox-example\\/router/
        - term: Freshness
        - definition: /At least as new as .*/
        - term: Valid until
        - definition: /.* left/
        - table "Hardware measurements"
        - button "Save evidence"
      - region "Latest change":
        - heading "Latest change" [level=2]
      - region "Limits of this proof":
        - term: The model itself
        - term: Metadata
        - term: Physical attacks
        - term: Billing
        - term: Accuracy
  `)
  await page.getByRole('tab', { name: 'Evidence' }).click()
  await expect(page.getByRole('region', { name: 'All checks' })).toMatchAriaSnapshot(`
    - region "All checks":
      - heading "All checks" [level=2]
      - group "Outcome":
        - button "All 9" [pressed]
        - button "Passed 8"
        - button "Not checked 1"
        - button "Failed 0"
      - searchbox "Search checks"
      - group:
        - heading "Document" [level=3]
      - group:
        - heading "Chip and its certificates" [level=3]
      - group:
        - heading "Server state" [level=3]
      - group:
        - heading "Certificates and keys" [level=3]
      - group:
        - heading "Release signature" [level=3]
  `)
})

test('the buttons to verify and save are reachable by keyboard only', async ({
  window: { open, page, mock },
}) => {
  verified(mock)
  await open('#/privacy')
  await expect(page.getByRole('heading', { name: 'Verified' })).toBeVisible()
  const reached: string[] = []
  for (let presses = 0; presses < 60; presses++) {
    await page.keyboard.press('Tab')
    reached.push(
      await page.evaluate(
        '(document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.textContent ?? "").slice(0, 60)',
      ),
    )
  }
  for (const part of [/^Verdict/, /^Verify again/, /^Save evidence/])
    expect(
      reached.some((name) => part.test(name)),
      String(part),
    ).toBe(true)
})
