/**
 * The settings of `Database.work`: plans use an index where one fits, and are kept. Planning at each call took a
 * quarter of the database time of a webhook delivery.
 */
export const WORK_SETTINGS = { enable_seqscan: 'off', enable_sort: 'off', plan_cache_mode: 'force_generic_plan' }
