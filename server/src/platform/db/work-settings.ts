/**
 * What `Database.work` runs with: plans go by an index where one fits, and are kept. Made at each call they were a quarter of
 * what a webhook delivery costs the database.
 */
export const WORK_SETTINGS = { enable_seqscan: 'off', enable_sort: 'off', plan_cache_mode: 'force_generic_plan' }
