// porter stub headers: platform.
#pragma once
