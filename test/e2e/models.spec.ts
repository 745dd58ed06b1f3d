import type { Page } from '@playwright/test'
import type { Model } from '../../src/shared/model.ts'
import { axeFaults } from './axe.ts'
import * as data from './mock-data.ts'
import { failure } from './mock-server.ts'
import { manyModels, richModels } from './screens/model-screens.ts'
import { expect, test } from './window-test.ts'

const picker = (page: Page) => page.getByRole('button', { name: /^Models?:/ })
const options = (page: Page) => page.getByRole('listbox', { name: 'Models' }).getByRole('option')
const chosen = (page: Page) => page.locator('[role="option"][data-active="true"]')

test.describe('the model picker', () => {
  test('works by keyboard only: search, favorite, details and choice', async ({
    window: { open, page, mock, composer },
  }) => {
    mock.state.models = richModels
    await open()
    await expect(composer).toBeFocused()
    await picker(page).focus()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('combobox', { name: 'Search models' })).toBeFocused()
    await page.keyboard.type('lookout')
    await expect(options(page)).toHaveCount(1)
    await page.keyboard.press('Control+d')
    await expect(page.getByRole('group', { name: 'Favorites' }).getByRole('option')).toContainText('Lookout')
    await expect.poll(() => mock.state.favourites).toEqual(['sandbox/lookout'])
    await page.keyboard.press('Control+i')
    const details = page.getByRole('region', { name: 'Details for Lookout' })
    for (const [name, value] of [
      ['Name', 'Lookout'],
      ['Model ID', 'sandbox/lookout'],
      ['Provider', 'acme'],
      ['Maximum context', '200,000 tokens'],
      ['Added', '2026'],
      ['Input price', '$3.00 per million tokens'],
      ['Output price', '$15.00 per million tokens'],
      ['Average cost per request', '$0.011'],
      ['Prompts per dollar', '95'],
    ] as const) {
      await expect(
        details.locator('div', { has: page.getByText(name, { exact: true }) }).last(),
      ).toContainText(value)
    }
    await page.keyboard.press('Enter')
    await expect(page.getByRole('button', { name: 'Model: Lookout' })).toBeVisible()
    await expect(composer).toBeFocused()
    await page.reload()
    await picker(page).click()
    await expect(page.getByRole('group', { name: 'Favorites' }).getByRole('option')).toContainText('Lookout')
  })

  test('shows a missing attribute as not reported', async ({ window: { open, page, mock } }) => {
    const bare: Model = { id: 'bare', name: 'Bare', private: false }
    mock.state.models = [bare]
    await open()
    await picker(page).click()
    await page.getByRole('button', { name: 'Show details' }).click()
    await expect(
      page.getByRole('region', { name: 'Details for Bare' }).getByText('not reported'),
    ).toHaveCount(9)
    await expect(options(page)).toContainText('price not reported')
  })

  test('filters by known attributes, and the filters can be removed', async ({
    window: { open, page, mock },
  }) => {
    mock.state.models = richModels
    await open()
    await picker(page).click()
    await expect(options(page)).toHaveCount(4)
    await page.getByRole('button', { name: 'Filter and sort' }).click()
    const filters = page.getByRole('region', { name: 'Filter and sort' })
    await filters.getByLabel('Accepts images').check()
    await expect(options(page)).toHaveText([/Sandbox Vision/, /Lookout/])
    await filters.getByLabel('Who can read it').selectOption('Private only')
    await expect(options(page)).toHaveText([/Sandbox Vision/])
    await filters.getByLabel('Accepts images').uncheck()
    await filters.getByLabel('Who can read it').selectOption('Any')
    await filters.getByLabel('Minimum context').selectOption('200K')
    await expect(options(page)).toHaveText([/Lookout/])
    await filters.getByLabel('Minimum context').selectOption('Any')
    await filters.getByLabel('Provider').selectOption('acme')
    await expect(options(page)).toHaveText([/Lookout/])
    await filters.getByLabel('Provider').selectOption('Any')
    await filters.getByLabel(/Maximum output price/).fill('2.5')
    await expect(options(page)).toHaveText([/Sandbox Vision/, /Sandbox Large/].reverse())
    await filters.getByLabel(/Maximum output price/).fill('much')
    await expect(filters.getByText('Enter an amount in dollars, such as 2.50.')).toBeVisible()
    await filters.getByLabel(/Maximum output price/).fill('0')
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await expect(options(page)).toHaveCount(4)
    await filters.getByLabel('Sort by').selectOption('Output price (lowest first)')
    await expect(page.getByRole('group', { name: 'Visible' }).getByRole('option')).toHaveText([
      /Lookout/,
      /Essayist/,
    ])
    await filters.getByLabel('Sort by').selectOption('Name')
  })

  test('finds a typed name among a thousand models, and reaches the last one', async ({
    window: { open, page, mock },
  }) => {
    mock.state.models = manyModels
    await open()
    await picker(page).click()
    await expect(options(page).first()).toBeVisible()
    const drawn = await options(page).count()
    expect(drawn).toBeLessThan(200)
    await options(page).last().scrollIntoViewIfNeeded()
    await expect(options(page).nth(drawn + 20)).toBeAttached()
    await page.getByRole('combobox', { name: 'Search models' }).fill('model 0999')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('button', { name: 'Model: Model 0999' })).toBeVisible()
    await picker(page).click()
    await expect(chosen(page)).toContainText('Model 0999')
    await expect(chosen(page)).toBeInViewport()
  })

  test('lists recently used models first if there are many', async ({ window: { open, page, mock } }) => {
    mock.state.models = manyModels
    mock.state.conversations = [
      data.conversation('c1', 'One', Date.now(), [['a', 'b']], { private: false, model: 'many/0500' }),
    ]
    await open()
    await picker(page).click()
    await expect(page.getByRole('group', { name: 'Recent' }).getByRole('option')).toHaveText([/Model 0500/])
  })

  test('shows a favorite that can’t be saved as a failure, and stays as the core reports', async ({
    window: { open, page, mock },
  }) => {
    mock.state.failures['models.setFavourite'] = failure('store/unwritable')
    await open()
    await picker(page).click()
    await expect(options(page).first()).toBeVisible()
    await page.keyboard.press('Control+d')
    await expect(page.getByRole('dialog', { name: 'Choose a model' }).getByRole('alert')).toContainText(
      'store/unwritable',
    )
    await expect(page.getByRole('group', { name: 'Favorites' })).toHaveCount(0)
  })

  for (const width of [480, 360]) {
    test(`shortens a long name before the tools next to it wrap, at ${String(width)} pixels`, async ({
      window: { open, page, mock },
    }) => {
      mock.state.models = richModels.map((model) => ({
        ...model,
        name: `${model.name} with a rather long name`,
      }))
      await page.setViewportSize({ width, height: 800 })
      await open()
      await expect(picker(page)).toContainText('with a rather long name')
      const tools = ['Add to message', 'Dictate', 'Send'].map((name) =>
        page.getByRole('button', { name: new RegExp(`^${name}`) }).last(),
      )
      const tops = await Promise.all(tools.map(async (tool) => (await tool.boundingBox())?.y))
      expect(new Set(tops).size).toBe(1)
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
    })
  }

  for (const width of [1280, 480]) {
    test(`has no axe violations at ${String(width)} pixels, with details and filters open`, async ({
      window: { open, page, mock },
    }) => {
      mock.state.models = richModels
      mock.state.favourites = ['sandbox/lookout']
      await page.setViewportSize({ width, height: 800 })
      await open()
      await picker(page).click()
      await page.getByRole('button', { name: 'Show details' }).click()
      await expect(page.getByRole('region', { name: /^Details for/ })).toBeVisible()
      expect(await axeFaults(page)).toEqual([])
      await page.getByRole('button', { name: 'Filter and sort' }).click()
      await expect(page.getByLabel('Sort by')).toBeVisible()
      expect(await axeFaults(page)).toEqual([])
    })
  }
})
