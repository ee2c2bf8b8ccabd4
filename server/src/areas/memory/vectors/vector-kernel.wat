;; The inner loops of vector comparisons, with SIMD. `npm run generate` compiles this file to vector-kernel-wasm.ts.
;;
;; All parameters are addresses in the memory; an end is the first address behind. Lengths are multiples of what a loop
;; reads at a time, none is empty, and the caller copies everything in and out (vector-kernel.ts).
(module
  ;; 5 pages of 64 KiB; vector-kernel.ts divides them up.
  (memory (export "memory") 5)

  ;; Writes the dot product of the query with each vector as a 32-bit float. A vector is as long as the query.
  ;; Two sums of four lanes each, so that an addition need not wait for the one before it.
  (func (export "products")
    (param $query i32) (param $queryEnd i32) (param $vectors i32) (param $vectorsEnd i32) (param $results i32)
    (local $element i32) (local $even v128) (local $odd v128)
    (loop $eachVector
      (local.set $even (v128.const i32x4 0 0 0 0))
      (local.set $odd (v128.const i32x4 0 0 0 0))
      (local.set $element (local.get $query))
      (loop $eachEightElements
        (local.set $even
          (f32x4.add
            (local.get $even)
            (f32x4.mul (v128.load (local.get $element)) (v128.load (local.get $vectors)))))
        (local.set $odd
          (f32x4.add
            (local.get $odd)
            (f32x4.mul (v128.load offset=16 (local.get $element)) (v128.load offset=16 (local.get $vectors)))))
        (local.set $element (i32.add (local.get $element) (i32.const 32)))
        (local.set $vectors (i32.add (local.get $vectors) (i32.const 32)))
        (br_if $eachEightElements (i32.lt_u (local.get $element) (local.get $queryEnd))))
      (local.set $even (f32x4.add (local.get $even) (local.get $odd)))
      (f32.store
        (local.get $results)
        (f32.add
          (f32.add (f32x4.extract_lane 0 (local.get $even)) (f32x4.extract_lane 1 (local.get $even)))
          (f32.add (f32x4.extract_lane 2 (local.get $even)) (f32x4.extract_lane 3 (local.get $even)))))
      (local.set $results (i32.add (local.get $results) (i32.const 4)))
      (br_if $eachVector (i32.lt_u (local.get $vectors) (local.get $vectorsEnd)))))

  ;; Writes for each of the 16 vectors of a block the sum of its table entries, as 16-bit numbers modulo 65,536.
  ;; A block holds the first bytes of its 16 vectors, then the second ones, and so on. For each of these bytes there are
  ;; two tables of 16 entries of one byte: for the lower four bits, then for the upper four.
  (func (export "sums")
    (param $tables i32) (param $tablesEnd i32) (param $blocks i32) (param $blocksEnd i32) (param $results i32)
    (local $table i32) (local $bytes v128) (local $found v128) (local $first v128) (local $last v128)
    (local $lowerBits v128)
    (local.set $lowerBits (i8x16.splat (i32.const 15)))
    (loop $eachBlock
      (local.set $first (v128.const i32x4 0 0 0 0))
      (local.set $last (v128.const i32x4 0 0 0 0))
      (local.set $table (local.get $tables))
      (loop $eachByte
        (local.set $bytes (v128.load (local.get $blocks)))
        ;; Two entries add up to less than 256.
        (local.set $found
          (i8x16.add
            (i8x16.swizzle (v128.load (local.get $table)) (v128.and (local.get $bytes) (local.get $lowerBits)))
            (i8x16.swizzle
              (v128.load offset=16 (local.get $table))
              (v128.and (i16x8.shr_u (local.get $bytes) (i32.const 4)) (local.get $lowerBits)))))
        (local.set $first (i16x8.add (local.get $first) (i16x8.extend_low_i8x16_u (local.get $found))))
        (local.set $last (i16x8.add (local.get $last) (i16x8.extend_high_i8x16_u (local.get $found))))
        (local.set $blocks (i32.add (local.get $blocks) (i32.const 16)))
        (local.set $table (i32.add (local.get $table) (i32.const 32)))
        (br_if $eachByte (i32.lt_u (local.get $table) (local.get $tablesEnd))))
      (v128.store (local.get $results) (local.get $first))
      (v128.store offset=16 (local.get $results) (local.get $last))
      (local.set $results (i32.add (local.get $results) (i32.const 32)))
      (br_if $eachBlock (i32.lt_u (local.get $blocks) (local.get $blocksEnd))))))
