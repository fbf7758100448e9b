<?php
// SPDX-License-Identifier: GPL-2.0-only
Probe\mark();

if (!function_exists('included')) {
    function included()
    {
        return Probe\mark();
    }
}

included();
return [1];
