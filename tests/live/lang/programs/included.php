<?php
// SPDX-License-Identifier: GPL-2.0-only
// the code of a file is freed after it has run
Probe\warm(20);
Probe\mark();

if (!function_exists('included')) {
    function included()
    {
        return Probe\mark();
    }
}

included();
return [1];
