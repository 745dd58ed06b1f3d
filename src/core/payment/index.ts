export { openKeyBudgets, type BudgetJournal, type KeyBudgets, type Reservation } from './key-budgets.ts'
